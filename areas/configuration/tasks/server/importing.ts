// Imports a long sheet as a task, each part in its own transaction.
import { sql } from 'kysely'
import { importPermissions } from '../../../../contract/exports.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { headerOf } from '../../../../server/files/sheet.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { importRows, type SheetRow } from '../../../system/imports/server/service.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { sheetFaults } from '../../points/server/service.ts'
import { mostImports, type TaskKind, taskKind, taskRight, taskStatus } from '../contract.ts'
import { assertMayAdd, createTask, independent, nameOf } from './create.ts'
import { Refused, type Runs, type Task, type TaskRow } from './work.ts'

type Given = { fixed: Record<string, unknown>; company?: number | undefined; offsetOne: boolean }
type Asked = Given & { rows: readonly SheetRow[]; EnterpriseId: number; PlannedTime?: string | null }
type ImportedTask = Task & { Given: Given }
type ImportedRow = TaskRow & { Given: readonly SheetRow[] | null }

/** Rows per transaction; parts per statement; errors listed for a failed part. */
const [partRows, partsAtOnce, shownErrors] = [500, 4, 3]
const kinds: readonly number[] = [taskKind.importPoints, taskKind.importDevices]
const isImport = sql`"Kind" in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`

/** Sheets are large, so few tasks may keep theirs. @throws FieldFaults `task.manySheets` */
const assertRoom = async (db: Db, enterprise: number) => {
  const open = await db.rows(sql`
    select 1 from project_task where "EnterpriseId" = ${enterprise} and ${isImport}
      and "Status" in (${taskStatus.waiting}, ${taskStatus.running}, ${taskStatus.paused}) limit ${mostImports}`)
  if (open.length >= mostImports) throw new FieldFaults([{ field: 'AsTask', rule: 'task.manySheets', values: { max: mostImports } }])
}

/** Deletes the sheets of finished imports except the newest ones with errors. */
const dropSheets = (db: Db, enterprise: number) =>
  db.rows(sql`
    update project_task_row set "Given" = null where "Given" is not null and "TaskId" in (
      select "Id" from (select "Id", "Status", row_number() over (partition by "Status" order by "Id" desc) as "Nth" from project_task
        where "EnterpriseId" = ${enterprise} and ${isImport}) t
      where "Status" in (${taskStatus.done}, ${taskStatus.cancelled}) or ("Status" = ${taskStatus.doneWithErrors} and "Nth" > ${mostImports}))`)

/** Adds a task with a row for each part of a sheet. */
export const importAsTask = (db: Db, actor: Actor, r: Resource, { rows, EnterpriseId, PlannedTime, ...given }: Asked) =>
  db.tx(async (db) => {
    const Kind: TaskKind = r.name === point.name ? taskKind.importPoints : taskKind.importDevices
    assertMayAdd(actor, Kind)
    await assertRoom(db, EnterpriseId)
    const parts = Array.from({ length: Math.ceil(rows.length / partRows) }, (_, i) => rows.slice(i * partRows, (i + 1) * partRows))
    const { fixed, company, offsetOne } = given
    const task = await createTask(db, actor, {
      fields: { TaskName: nameOf(actor, Kind, rows.length), Kind, ...independent, ...(PlannedTime && { PlannedTime }) },
      ...{ EnterpriseId, atOnce: partsAtOnce },
      Given: { fixed, company, offsetOne },
      rows: parts.map((part) => ({
        Target: word(actor.language, 'task.lines', { from: part[0]!.row, to: part.at(-1)!.row }),
        Given: part,
      })),
    })
    await dropSheets(db, EnterpriseId)
    return { TaskId: task.Id }
  })

/** The first errors of a part, by row of the sheet. */
const withErrors = (r: Resource, { Language }: Task, error: unknown) => {
  const rows = (error instanceof Fault && error.details.Rows) || []
  return rows.length
    ? new Refused(
        rows
          .slice(0, shownErrors)
          .map(({ Row, Field, Message }) => `${Row} ${headerOf(r, Field, Language)}: ${Message}`)
          .join(' · '),
      )
    : error
}

/** Imports parts of sheets of a resource. A part and its row's state commit together. */
const importing = (r: Resource, needs: string): Runs<ImportedTask, ImportedRow> => ({
  ...{ needs, atOnce: 1, canary: false },
  async run({ db, actor, task, row, done }) {
    assertHolds(actor, importPermissions(r))
    if (!row.Given) throw new Refused(word(task.Language, 'task.sheetGone'))
    const { fixed, company, offsetOne } = task.Given
    await importRows(db, actor, r, [...row.Given], {
      ...{ language: task.Language, fixed, company, offsetOne },
      ...(r === point && { check: sheetFaults }),
      finish: async (db, { Added, Changed, Unchanged }) => {
        await done(db, word(task.Language, 'task.imported', { added: Added, changed: Changed, unchanged: Unchanged }))
        await db.rows(sql`update project_task_row set "Given" = null where "Id" = ${row.Id}`)
      },
    }).catch((error) => {
      throw withErrors(r, task, error)
    })
  },
})
export const importKinds = {
  [taskKind.importPoints]: importing(point, taskRight[taskKind.importPoints]),
  [taskKind.importDevices]: importing(device, taskRight[taskKind.importDevices]),
}
