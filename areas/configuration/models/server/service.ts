// Functions that other areas use.
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { writesOf } from '../../../../server/resource/store.ts'
import { point as points } from '../../points/contract.ts'
import { planAdditions, type Values } from './plan.ts'
import { withStandards } from './standards.ts'
import { answerOf, assertFree, columnsFor, devicesOf, readTargets, writeAdded } from './targets.ts'

export { applyModel } from './apply.ts'
export { linkAgain } from './linkAgain.ts'
export { assertPlannable, planInTurn } from './planQueue.ts'
export { type Answer, applied, asModel } from './targets.ts'

type Additions = { described: readonly Values[]; DeviceIds: readonly number[]; Preview?: 0 | 1 | undefined; language: Language }

/** Adds described points to devices of one company, all or none. A preview returns the same answer. */
export const addDescribed = (db: Db, actor: Actor, enterprise: number, { described, DeviceIds, Preview, language }: Additions) =>
  db.tx(
    async (db) => {
      const found = await devicesOf(db, actor, enterprise, { DeviceIds })
      const { rows, places } = await readTargets(db, found, described.length)
      const plans = await planAdditions(await withStandards(db, described), found, rows, { places, columns: columnsFor(actor) })
      const answer = await answerOf(db, enterprise, plans, { language })
      if (Preview) return answer
      assertFree(plans, 0, language)
      await writeAdded(db, actor, enterprise, plans)
      return answer
    },
    writesOf(points, actor),
  )
