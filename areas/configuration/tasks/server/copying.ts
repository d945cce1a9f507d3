// Copies a project as a task: the project first, then each gateway in its own transaction, then all pictures and all alarm rules.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { copyProjectRules, mayCopyRules, rulesToCopy } from '../../../alarms/alarms/server/service.ts'
import { copyPictures, countPictures } from '../../../pictures/flowcharts/server/service.ts'
import { gateway } from '../../gateways/contract.ts'
import { planInTurn } from '../../models/server/service.ts'
import type { projectCalls } from '../../projects/contract.ts'
import { copiesOf, copyDetails, copyGatewaysTo } from '../../projects/server/service.ts'
import { rowStatus, taskKind, taskRight } from '../contract.ts'
import { assertMayAdd, createTask, independent, nameOf } from './create.ts'
import { Refused, type Runs, required, type Task, type TaskRow, type Work } from './work.ts'

type Given = { ProjectId: number; to: number }
type CopyTask = Task & { Given: Given }
type CopyRow = TaskRow & { GatewayId: number | null; Given: { SN: string } | { Pictures: number } | { Rules: number } }
type Asked = Body<typeof projectCalls.copy>

/** Refuses duplicate gateways and serial numbers, and numbers that the caller sees in use. */
const assertNumbers = async (db: Db, actor: Actor, { Gateways }: Asked) => {
  const used = await db.rows<{ SN: string }>(
    sql`select t."SN" from gateway t where t."SN" = any(${Gateways.map(({ SN }) => SN)}::text[]) and ${visible(gateway, actor)}`,
  )
  const isUsed = new Set(used.map(({ SN }) => SN))
  const [ids, numbers] = [new Map<number, number>(), new Map<string, number>()]
  const faults = Gateways.flatMap(({ Id, SN }, i): FieldFault[] => {
    const first = numbers.get(SN) ?? ids.get(Id)
    ids.set(Id, i)
    numbers.set(SN, i)
    if (first !== undefined) return [{ field: `Gateways.${i}.SN`, rule: 'twice', values: { row: first + 1 } }]
    return isUsed.has(SN) ? [{ field: `Gateways.${i}.SN`, rule: 'taken' }] : []
  })
  if (faults.length) throw new FieldFaults(faults)
}

/** The rows that run after all gateways. */
const lastRows = async (db: Db, actor: Actor, project: number) => {
  const Pictures = await countPictures(db, actor, project)
  const Rules = mayCopyRules(actor) ? (await rulesToCopy(db, actor, project)).length : 0
  return [
    ...(Pictures ? [{ Target: word(actor.language, 'task.pictures', { count: Pictures }), Given: { Pictures } }] : []),
    ...(Rules ? [{ Target: word(actor.language, 'task.rules', { count: Rules }), Given: { Rules } }] : []),
  ]
}

/** Adds the new project, and a task with a row for each gateway, one for the pictures and one for the alarm rules. */
export const copyAsTask = (db: Db, actor: Actor, given: Asked) =>
  db.tx(async (db) => {
    assertMayAdd(actor, taskKind.copy)
    const { ProjectId, ProjectName, Gateways, PlannedTime } = given
    if (!Gateways.length) throw new FieldFaults([{ field: 'Gateways', rule: 'required' }])
    await assertNumbers(db, actor, given)
    const ids = Gateways.map(({ Id }) => Id)
    const found = await db.rows<{ Id: number; GatewayName: string }>(sql`
      select t."Id", t."GatewayName" from gateway t
      where t."Id" = any(${ids}::bigint[]) and t."ProjectId" = ${ProjectId} and ${visible(gateway, actor)}`)
    if (found.length < ids.length) throw notFound()
    const names = new Map(found.map(({ Id, GatewayName }) => [Id, GatewayName]))
    const { Id, EnterpriseId } = await copyDetails(db, actor, ProjectId, ProjectName)
    const fields = {
      TaskName: nameOf(actor, taskKind.copy, ProjectName),
      Kind: taskKind.copy,
      ...independent,
      ...(PlannedTime && { PlannedTime }),
    }
    const Given: Given = { ProjectId, to: Id }
    const rows = Gateways.map(({ Id, SN }) => ({ Target: `${names.get(Id)} (${SN})`, GatewayId: Id, Given: { SN } }))
    const last = await lastRows(db, actor, ProjectId)
    const task = await createTask(db, actor, { fields, EnterpriseId, Given, rows: [...rows, ...last] })
    return { Id, TaskId: task.Id, Gateways: rows.length }
  })

type CopyWork = Work<CopyTask, CopyRow>
const picturesOf = async ({ db, actor, task }: CopyWork) => {
  const { ProjectId, to } = task.Given
  const { Pictures, Unbound } = await copyPictures(db, actor, { from: ProjectId, to })
  const names = Unbound.map(({ FlowchartName, Name }) => `${FlowchartName}: ${Name}`).join(', ')
  const note = word(task.Language, 'task.copiedPictures', { count: Pictures })
  return names ? `${note} ${word(task.Language, 'task.unbound', { names })}` : note
}
const rulesOf = async ({ db, actor, task }: CopyWork) => {
  const { ProjectId, to } = task.Given
  const { Rules, RulesLeft } = await copyProjectRules(db, actor, { from: ProjectId, to })
  const names = RulesLeft.map(({ RuleName }) => RuleName).join(', ')
  const note = word(task.Language, 'task.copiedRules', { count: Rules })
  return names ? `${note} ${word(task.Language, 'task.rulesLeft', { names })}` : note
}

/** Copies pictures and rules, which find their points by name, after all gateways. */
const copyLast = (work: CopyWork) =>
  work.db.tx(async (db) => {
    const { actor, task, row, done } = work
    const [open] = await db.rows(sql`
      select 1 from project_task_row where "TaskId" = ${task.Id} and "Given"->>'SN' is not null and "Status" <> ${rowStatus.done} limit 1`)
    if (open) throw new Refused(word(task.Language, 'task.gatewaysMissing'))
    const copy = 'Pictures' in row.Given ? picturesOf : rulesOf
    await done(db, (await copy({ ...work, db, actor })).slice(0, 500))
  }, copiesOf(work.actor))

/** Copies one gateway. The gateway and the row's state commit together. */
export const copyKind: Runs<CopyTask, CopyRow> = {
  ...{ needs: taskRight[taskKind.copy], atOnce: 1, canary: false },
  run: (work) => {
    const { db, actor, task, row, done } = work
    const { Given } = row
    if (!('SN' in Given)) return planInTurn(actor, () => copyLast(work))
    return planInTurn(actor, () =>
      db.tx(async (db) => {
        const Gateways = [{ Id: required(row.GatewayId), SN: Given.SN }]
        const { Channels, Devices, Points } = await copyGatewaysTo(db, actor, { ...task.Given, Gateways })
        await done(db, word(task.Language, 'task.copied', { channels: Channels, devices: Devices, points: Points }))
      }, copiesOf(actor)),
    )
  },
}
