import { testGoldens } from "../../goldens/test_goldens.ts";

await testGoldens("zimage");
