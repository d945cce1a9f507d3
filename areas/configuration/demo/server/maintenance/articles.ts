// Articles of the demo company's knowledge base, in its language.
import type { Language } from '../../../../../contract/languages.ts'
import type { Db } from '../../../../../server/database/db.ts'
import { serverActor } from '../../../../../server/identity/actor.ts'
import { articles, publish, vote } from '../../../../maintenance/knowledge-base/server/service.ts'
import { english } from './articles/en.ts'
import { spanish } from './articles/es.ts'
import { japanese } from './articles/ja.ts'
import { chinese } from './articles/zh.ts'
import type { Company } from './company.ts'
import { person } from './company.ts'

/** Solution: one step per line. */
export type Article = readonly [title: string, keywords: string, phenomenon: string, reason: string, solution: readonly string[]]
const texts: Readonly<Record<Language, readonly Article[]>> = { en: english, zh: chinese, es: spanish, ja: japanese }
/** Device of each article. */
const devices = [
  ...['High service pumps', 'High service pumps', 'High service pumps', 'Raw water intake', 'Raw water intake', 'Settling basin'],
  ...['Filters', 'Filters', 'Chlorine dosing', 'Chlorine dosing', 'UV reactor', 'Cold room', 'Delivery power meter'],
  ...['Outlet and tower', 'Weather station'],
]
/** The last ones are drafts. */
const published = 13

const html = (steps: readonly string[]) => `<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`

export const seedArticles = async (db: Db, c: Company) => {
  const actor = serverActor(c.EnterpriseId)
  for (const [i, [Title, Keywords, Phenomenon, Reason, solution]] of texts[c.language].entries()) {
    const row = await articles.create(
      db,
      { ...actor, UserId: c.planner },
      {
        ...{ Title, Keywords, Phenomenon, Reason, Solution: html(solution), DeviceId: c.devices.get(devices[i]!) ?? null },
      },
    )
    if (i >= published) continue
    await publish({ db, actor: { ...actor, UserId: c.planner }, row, body: {} } as never)
    for (const worker of c.workers) if ((i + worker) % 3) await vote(db, person(c, worker, c.now), row.Id, (i + worker) % 7 ? 1 : 0)
  }
}
