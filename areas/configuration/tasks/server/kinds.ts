// The work that a task does for each of its rows.
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { type Gateways, inWords } from '../../gateways/server/service.ts'
import { applyModel, planInTurn } from '../../models/server/service.ts'
import { taskKind, taskRight } from '../contract.ts'
import { type CheckNeeds, checkDevice } from './check.ts'
import { Refused, type Runs, type Task, type TaskRow } from './work.ts'

type ProjectTask = Task & { ModelId: number | null; RemoveGone: 0 | 1 }
type ProjectTaskRow = TaskRow & { GatewayId: number | null; DeviceId: number | null }
type Kind = Runs<ProjectTask, ProjectTaskRow> & { targets: Resource; field: 'GatewayIds' | 'DeviceIds' }

const required = (id: number | null): number => {
  if (id === null) throw new Fault('notFound')
  return id
}

export const kindsOf = ({ push, ...checks }: Pick<Gateways, 'push'> & CheckNeeds): Record<number, Kind> => ({
  [taskKind.push]: {
    ...{ needs: taskRight[taskKind.push], targets: gateway, field: 'GatewayIds', atOnce: 10, canary: true },
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
    ...{ needs: taskRight[taskKind.apply], targets: device, field: 'DeviceIds', atOnce: 1, canary: false },
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
  [taskKind.check]: {
    ...{ needs: taskRight[taskKind.check], targets: device, field: 'DeviceIds', atOnce: 4, canary: false },
    async run({ db, actor, task, row, done }) {
      const { points, save } = await checkDevice(checks, db, actor, task, required(row.DeviceId))
      const count = points.filter((p) => p.Finding).length
      await db.tx(async (db) => {
        await done(db, word(task.Language, 'task.checked', { points: points.length, findings: count }))
        await save(db)
      })
    },
  },
})
export type Kinds = ReturnType<typeof kindsOf>
