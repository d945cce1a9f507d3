import { sql } from 'kysely'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { KeptScope } from '../../../../server/identity/keptScope.ts'
import type { Format } from './queue.ts'

export type Held = Omit<ExportTask, 'Reason'> & { Fault: string | null; FaultValues: Record<string, string | number> | null }

export const columns = (zone: string) => {
  const at = (name: string) =>
    sql`to_char(${sql.raw(`"${name}"`)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
  return sql`"Id", "Kind", "Resource", "Format", "Status", "FileName", "DoneRows", "TotalRows", "Progress", "FileBytes", "Fault", "FaultValues", ${at('CreateTime')}, ${at('ExpireTime')}`
}
export const shown = ({ Fault: key, FaultValues, ...row }: Held, language: Language): ExportTask => ({
  ...row,
  Reason: key && word(language, `fault.${key}`, FaultValues ?? {}),
})
export const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
export const mine = (actor: Actor) => sql`"UserId" = ${actor.UserId}`

export const findTask = async (database: Database, actor: Actor, id: number) => {
  const [row] = await database
    .as(actor)
    .rows<Held>(sql`select ${columns(zoneOf(actor))} from import_export_task where "Id" = ${id} and ${mine(actor)}`)
  if (!row) throw notFound()
  return row
}

/** Makes the person's consoles refetch his tasks. The Id is the person's. */
export const announceTasks = (db: Db, { UserId, EnterpriseId }: Pick<Actor, 'UserId' | 'EnterpriseId'>) =>
  db.emit({ resource: 'importExportTask', id: UserId, verb: 'update', EnterpriseId })

export type Interrupted = {
  Id: number
  EnterpriseId: number
  UserId: number
  RoleId: number | null
  Kind: number
  Format: Format
  FileName: string
  Language: Language | null
  Ask: object | null
  Scope: KeptScope | null
}
const underWay = sql`"Status" in (${taskStatus.waiting}, ${taskStatus.running})`
/** On startup, tasks that were running or queued fail, unless their kind restarts: those are queued again. */
export const endInterrupted = async (db: Db): Promise<Interrupted[]> => {
  await db.rows(
    sql`update import_export_task set "Status" = ${taskStatus.failed}, "Fault" = 'exportInterrupted' where ${underWay} and "Ask" is null`,
  )
  return db.rows<Interrupted>(sql`
    update import_export_task set "Status" = ${taskStatus.waiting}, "DoneRows" = 0, "TotalRows" = null, "Progress" = null where ${underWay}
    returning "Id", "EnterpriseId", "UserId", "RoleId", "Kind", "Format", "FileName", "Language", "Ask", "Scope"`)
}
export const finishedTasks = async (db: Db): Promise<ReadonlySet<number>> => {
  const rows = await db.rows<{ Id: number }>(sql`select "Id" from import_export_task where "Status" = ${taskStatus.done}`)
  return new Set(rows.map(({ Id }) => Id))
}
