import { withApiProcess } from "../../support/api_process.ts";
import { attack, type AttackResult } from "./attack.ts";

const KEY = "a key of more than sixteen characters";

/** Wrong keys, from one client and from many connections, while the right one works as fast as ever. */
export async function keyAttack(onResult: (result: AttackResult) => void): Promise<boolean> {
  let isFine = false;
  await withApiProcess({ models: [], args: [`--api-key=${KEY}`] }, async ({ url }) => {
    const models = (key: string) => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const attacks = [{
      name: "400 wrong keys at once",
      run: async () => {
        const all = await Promise.all(
          Array.from(
            { length: 400 },
            (_, i) => models(`wrong ${i}`).then(async (answer) => (await answer.text(), answer.status)),
          ),
        );
        return all.every((status) => status === 401) ? "400 x 401" : [...new Set(all)].join(", ");
      },
    }, {
      name: "wrong keys one after another",
      run: async () => {
        const begin = performance.now();
        for (let i = 0; i < 5; i++) await (await models("wrong")).text();
        const slowed = performance.now() - begin;
        if (slowed < 5000) throw new Error(`5 wrong keys after 400 others took ${slowed.toFixed(0)} ms`);
        return "5 x 401";
      },
    }];
    const legal = async (): Promise<void> => {
      const begin = performance.now();
      const answer = await models(KEY);
      await answer.text();
      if (answer.status !== 200) throw new Error(`the right key was answered ${answer.status}`);
      if (performance.now() - begin > 1000) throw new Error("the right key had to wait");
    };
    isFine = await attack(url, attacks, { legal }, onResult);
  });
  return isFine;
}
