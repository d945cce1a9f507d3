// The work that a task does for each of its rows.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { type Gateways, inWords } from '../../gateways/server/service.ts'
import { applyModel, planInTurn } from '../../models/server/service.ts'
import { taskKind } from '../contract.ts'

export type Task = {
  Id: number
  EnterpriseId: number
  Kind: number
  UserId: number
  RoleId: number | null
  Language: Language
  Done: number
  ModelId: number | null
  RemoveGone: 0 | 1
  TaskName: string
}
export type TaskRow = { Id: number; GatewayId: number | null; DeviceId: number | null; Status: number; StartTime: Date | null }

type Work = {
  db: Db
  actor: Actor
  task: Task
  row: TaskRow
  /** Marks the row as done, in the transaction of the work where there is one. */
  done: (db: Db) => Promise<void>
}
type Kind = {
  needs: string
  targets: Resource
  field: 'GatewayIds' | 'DeviceIds'
  /** Rows that run at the same time. */
  atOnce: number
  /** One row must succeed before others run beside it. */
  canary: boolean
  run: (work: Work) => Promise<void>
}

/** A refusal in the words of its own. */
export class Refused extends Error {}

const required = (id: number | null): number => {
  if (id === null) throw new Fault('notFound')
  return id
}

export const kindsOf = ({ push }: Pick<Gateways, 'push'>): Record<number, Kind> => ({
  [taskKind.push]: {
    ...{ needs: 'm10102.push', targets: gateway, field: 'GatewayIds', atOnce: 10, canary: true },
    async run({ db, actor, task, row, done }) {
      const id = required(row.GatewayId)
      // After a crash: the gateway has accepted the push, and only the row does not show it yet.
      const accepted =
        row.StartTime &&
        (await db.rows(sql`select 1 from config_version where "GatewayId" = ${id} and "PushTime" >= ${row.StartTime} limit 1`)).length
      if (!accepted) {
        const { Code, Msg, Detail = [] } = inWords(task.Language, await push(db, actor, id, task.TaskName))
        const rows = Detail.slice(0, 3).map(({ Row, ParaName, Reason }) => [Row, ParaName, Reason].filter(Boolean).join(' '))
        if (Code !== 0) throw new Refused([Msg, ...rows].join(' · '))
      }
      await done(db)
    },
  },
  [taskKind.apply]: {
    ...{ needs: 'm10110.apply', targets: device, field: 'DeviceIds', atOnce: 1, canary: false },
    run: ({ db, actor, task, row, done }) =>
      planInTurn(actor, () =>
        db.tx(async (db) => {
          // First, so that the work and its mark commit together.
          await done(db)
          const application = { ModelId: required(task.ModelId), DeviceIds: [required(row.DeviceId)], RemoveGone: task.RemoveGone }
          await applyModel(db, actor, application, task.Language)
        }),
      ),
  },
})
export type Kinds = ReturnType<typeof kindsOf>
