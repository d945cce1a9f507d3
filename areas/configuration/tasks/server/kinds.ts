// The work that a task does for each of its rows.
import { sql } from 'kysely'
import { word } from '../../../../server/http/words.ts'
import { type Gateways, inWords } from '../../gateways/server/service.ts'
import { applyModel, planInTurn } from '../../models/server/service.ts'
import { type TaskKind, taskKind, taskRight } from '../contract.ts'
import { addKind } from './adding.ts'
import { type CheckNeeds, checkDevice } from './check.ts'
import { copyKind } from './copying.ts'
import { fewTaken } from './fewTaken.ts'
import { importKinds } from './importing.ts'
import { Refused, type Runs, required, type Task, type TaskRow } from './work.ts'

type ProjectTask = Task & { ModelId: number | null; RemoveGone: 0 | 1 }
type ProjectTaskRow = TaskRow & { GatewayId: number | null; DeviceId: number | null }
type Kind = Runs<ProjectTask, ProjectTaskRow>

type Needs = Pick<Gateways, 'push' | 'returned'> & CheckNeeds
/** The work for gateways or devices that a person selects. */
const forTargets = ({ push, returned, ...checks }: Needs): Record<1 | 2 | 3, Kind> => ({
  [taskKind.push]: {
    ...{ needs: taskRight[taskKind.push], atOnce: 10, canary: true },
    async run({ db, actor, task, row, done }) {
      const id = required(row.GatewayId)
      await returned(id)
      // After a crash: the gateway has accepted the push, but the row does not record it yet.
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
    ...{ needs: taskRight[taskKind.apply], atOnce: 1, canary: false },
    run: ({ db, actor, task, row, done }) =>
      planInTurn(actor, () =>
        db.tx(async (db) => {
          // First, so that the work and the row's state commit together.
          await done(db)
          const application = { ModelId: required(task.ModelId), DeviceIds: [required(row.DeviceId)], RemoveGone: task.RemoveGone }
          await applyModel(db, actor, application, task.Language)
        }),
      ),
  },
  [taskKind.check]: {
    ...{ needs: taskRight[taskKind.check], atOnce: 4, canary: false },
    async run({ db, actor, task, row, done }) {
      const id = required(row.DeviceId)
      const [of] = await db.rows<{ Id: number }>(sql`select "GatewayId" as "Id" from device where "Id" = ${id}`)
      if (of) await returned(of.Id)
      const { points, save } = await checkDevice(checks, db, actor, task, id)
      const count = points.filter((p) => p.Finding).length
      await db.tx(async (db) => {
        await done(db, word(task.Language, 'task.checked', { points: points.length, findings: count }))
        await save(db)
      })
    },
  },
})

/** Task kinds implemented by other areas. */
export type ForeignKinds = Partial<Record<TaskKind, Runs>>

export const kindsOf = (needs: Needs, foreign: ForeignKinds = {}): Partial<Record<TaskKind, Runs>> => ({
  ...forTargets(needs),
  [taskKind.copy]: fewTaken(copyKind, needs.clock),
  [taskKind.addDevices]: addKind,
  ...importKinds,
  ...foreign,
})
export type Kinds = ReturnType<typeof kindsOf>
