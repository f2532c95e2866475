// Before the first paint: the walk in a frame of the start page shows less.
document.documentElement.classList.toggle("embed", self !== parent);
