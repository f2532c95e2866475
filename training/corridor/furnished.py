"""The corridors of scenes.py, furnished: few, large, crisp things, for frames of 192x128.

  python furnished.py --clips 1600 --seed 11 --out data/train       # the options and files of scenes.py

Scenes, colours, captions, poses and actions are those of scenes.py, drawn by the same seeds; only `render` differs:

  walls     a cornice, a chair rail over a darker lower half, a skirting, a lit sign in a dark frame beside each door
  doors     a dark frame, a leaf with an upper and a lower panel
  floor     slabs, a rug
  ceiling   lamps in a dark frame
  light     dimmer where walls meet floor and ceiling

A feature is a product of intervals, each averaged over the pixel's own footprint, and what is finer than a pixel fades
to its mean: nothing flickers, and one ray a pixel is enough.
"""
import torch

import scenes as SC
from footprint import SOFT, above, between, repeat
from scenes import DOOR_H, DOOR_W, FX, FY, HEIGHT, PERIOD, PHASE_L, PHASE_R, WIDTH


FOG = .17
TRIM = .13                   # width of the frame around a door
SIGN_AT, SIGN_W, SIGN_H = DOOR_W + TRIM + .46, .36, .28      # centre along the wall, half width, half height
SIGN_Y = -.27
GLOW, DARK, BAR = (.90, .88, .80), .18, .38           # of a sign: its plate, its border, the bar on it


def render(scene, rotation, place, height, width, signs=True, trim=True):
    """Scene tensors [n,...], rotation [n,F,3,3], place [n,F,3] -> uint8 [n,F,H,W,3]; also without the signs.

    Without `trim` there is no cornice, and rails and panels are pale: the latents are those of such pictures, see
    refine_vae.py.
    """
    dev = rotation.device
    u = (((torch.arange(width, device=dev) + .5) / width - .5) / FX)[None, None, None, :]
    v = (((torch.arange(height, device=dev) + .5) / height - .5) / FY)[None, None, :, None]
    r = lambda i, j: rotation[..., i, j][..., None, None]
    dx, dy, dz = (r(i, 0) * u + r(i, 1) * v + r(i, 2) for i in range(3))
    safe = lambda d: torch.where(d.abs() < 1e-5, torch.full_like(d, 1e-5), d)
    ix, iy = 1 / safe(dx), 1 / safe(dy)
    px, py, pz = (place[..., i][..., None, None] for i in range(3))
    to_wall = torch.maximum((WIDTH - px) * ix, (-WIDTH - px) * ix)
    to_floor = torch.maximum((HEIGHT - py) * iy, (-HEIGHT - py) * iy)
    is_wall = to_wall <= to_floor
    t = torch.minimum(to_wall, to_floor)
    x, y, z = px + dx * t, py + dy * t, pz + dz * t
    distance = t * torch.sqrt(dx * dx + dy * dy + dz * dz)

    # The hit point p = place + t d with d[n] t constant (n: the normal's axis) moves by t (r[i] - d[i]/d[n] r[n]) a pixel.
    def footprint(i, d):
        def along(j, pixel):
            on_wall, on_floor = r(i, j) - d * ix * r(0, j), r(i, j) - d * iy * r(1, j)
            return (t * pixel * torch.where(is_wall, on_wall, on_floor)).square()
        return torch.sqrt(along(0, 1 / (width * FX)) + along(1, 1 / (height * FY))) * SOFT + .012
    size_x, size_y, size_z = footprint(0, dx), footprint(1, dy), footprint(2, dz)

    # ------------------------------------------------------------------ walls
    side = torch.where(x > 0, 1., -1.)
    at_door = SC.wrap(z - torch.where(x > 0, PHASE_R, PHASE_L), PERIOD)
    top = HEIGHT - DOOR_H
    far = (size_z / PERIOD * 3 - .5).clamp(0, 1)                     # doors finer than pixels
    across = lambda half: between(at_door, -half, half, size_z) * (1 - far) + 2 * half / PERIOD * far
    leaf = across(DOOR_W) * above(y, top, size_y)
    frame = across(DOOR_W + TRIM) * above(y, top - TRIM, size_y) - leaf
    inset = between(at_door, -DOOR_W + .16, DOOR_W - .16, size_z) * (1 - far)
    panels = inset * (between(y, top + .16, .10, size_y) + between(y, .34, HEIGHT - .20, size_y))
    low = above(y, .34 * HEIGHT, size_y)
    rail = between(y, .27 * HEIGHT, .40 * HEIGHT, size_y)
    skirting = above(y, .82 * HEIGHT, size_y)
    cornice = between(y, -2 * HEIGHT, -.86 * HEIGHT, size_y)
    at_sign = SC.wrap(at_door + side * SIGN_AT, PERIOD)
    plate = lambda half_width, half_height: (between(at_sign, -half_width, half_width, size_z)
                                             * between(y, SIGN_Y - half_height, SIGN_Y + half_height, size_y)
                                             * (1 - far) * float(signs))
    sign, bar = plate(SIGN_W - .08, SIGN_H - .08), plate(SIGN_W - .16, .06)
    edge = plate(SIGN_W, SIGN_H) - sign

    # ------------------------------------------------------------------ floor and ceiling
    slab = repeat(z, .375, 1.5, size_z)
    rug = between(x, -.48, .48, size_x)
    lamp_at = z - .25 * PERIOD
    lamp = repeat(lamp_at, .32, PERIOD * .5, size_z) * between(x, -.34, .34, size_x)
    holder = repeat(lamp_at, .39, PERIOD * .5, size_z) * between(x, -.41, .41, size_x) - lamp

    # ------------------------------------------------------------------ light
    ambient = scene["ambient"].to(dev)[:, None, None, None]
    light = ambient + (1 - ambient) * (.5 + .5 * torch.cos(lamp_at * (4 * torch.pi / PERIOD)))
    corner = torch.where(is_wall, HEIGHT - y.abs(), WIDTH - x.abs())
    light = light * (1 - .30 * torch.exp(-corner.clamp(min=0) * 6))
    clear = torch.exp(-distance * FOG)
    mix = lambda base, other, share: base + (other - base) * share
    out = []
    for c in range(3):
        colour = lambda name: scene[name].to(dev)[:, c][:, None, None, None]
        paint, wood, glowing = colour("wall"), colour("door"), colour("lamp")
        wall = paint * (1 - .42 * low)
        wall = mix(wall, paint * .55 + .40 if trim else paint * .75 + .22, rail)
        wall = mix(wall, paint * .20 + .04, skirting)
        if trim:
            wall = mix(wall, paint * .40 + .50, cornice)
        wall = mix(wall, wood * .18 + .05, frame)
        wall = mix(wall, wood * .85 * (1 - (.45 if trim else .30) * panels), leaf)
        floor = colour("floor") * (.86 + .10 * slab)
        floor = mix(floor, wood * .60, rug)
        ceiling = colour("floor") * .55 + paint * .2
        lit = torch.where(is_wall, wall, torch.where(dy > 0, floor, ceiling)) * light * (glowing * .35 + .65)
        hung = mix(mix(mix(lit, DARK, edge), GLOW[c], sign), BAR, bar)
        overhead = mix(mix(lit, .12, holder), glowing, lamp)
        lit = torch.where(is_wall, hung, torch.where(dy > 0, lit, overhead))
        out.append(lit * clear + colour("fog") * (1 - clear))
    return (torch.stack(out, -1).clamp(0, 1) * 255 + .5).to(torch.uint8)


SC.render = render                                                   # scenes.py's command and clips use this one


if __name__ == "__main__":
    SC.main()
