// Starts a task. Checks the serial numbers before anything is written.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { gateway } from '../../gateways/contract.ts'
import { productSeries } from '../../product-series/contract.ts'
import { project } from '../../projects/contract.ts'
import { copyPlan } from '../../projects/server/service.ts'
import { mostUnfinished } from '../../tasks/contract.ts'
import { isNameRule, nameOf, productTask, type productTaskCalls, rulePlaces } from '../contract.ts'
import { gatewayOf } from './products.ts'

type Asked = Body<typeof productTaskCalls.add>
type Line = { Line: number; SN: string; ProjectName: string }
const longestName = project.fields.ProjectName.max
const shownNames = 3
const pattern = new RegExp(gateway.fields.SN.pattern)

/** The errors of the lines by position, as keys of words. */
const faultsOf = async (db: Db, actor: Actor, enterprise: number, lines: readonly Line[]) => {
  const numbers = lines.map(({ SN }) => SN)
  const names = lines.map(({ ProjectName }) => ProjectName)
  const used = await db.rows<{ SN: string }>(
    sql`select "SN" from gateway t where "SN" = any(${numbers}::text[]) and ${visible(gateway, actor)}`,
  )
  const taken = await db.rows<{ ProjectName: string }>(
    sql`select "ProjectName" from project where "EnterpriseId" = ${enterprise} and "ProjectName" = any(${names}::text[])`,
  )
  const [isUsed, isTaken] = [new Set(used.map(({ SN }) => SN)), new Set(taken.map((p) => p.ProjectName))]
  const [earlier, earlierNames] = [new Set<string>(), new Set<string>()]
  return lines.flatMap((line) => {
    const { SN, ProjectName } = line
    const key = !pattern.test(SN)
      ? 'product.badNumber'
      : earlier.has(SN)
        ? 'product.twice'
        : isUsed.has(SN)
          ? 'product.used'
          : isTaken.has(ProjectName) || earlierNames.has(ProjectName)
            ? 'product.nameTaken'
            : undefined
    earlier.add(SN)
    if (!key) earlierNames.add(ProjectName)
    return key ? [{ line, key }] : []
  })
}

const templateOf = async (db: Db, actor: Actor, seriesId: number) => {
  const series = await store(productSeries).find(db, actor, seriesId)
  const refused = (rule: string) => new FieldFaults([{ field: 'SeriesId', rule }])
  if (!series.Enabled) throw refused('product.disabled')
  const template = series.TemplateProjectId
  if (!template || !(await gatewayOf(db, actor, template))) throw refused('product.template')
  return { series, template, plan: await copyPlan(db, actor, template) }
}

const assertRoom = async (db: Db, enterprise: number) => {
  const [open] = await db.rows<{ n: number }>(
    sql`select count(*)::integer as n from product_task where "EnterpriseId" = ${enterprise} and "Status" in (0, 1, 2)`,
  )
  if (open!.n >= mostUnfinished) throw new FieldFaults([{ field: 'TaskName', rule: 'task.tooMany', values: { max: mostUnfinished } }])
}

/** Adds a task with a row for each serial number, in the given order. A preview returns the same answer and writes nothing. */
export const addProducts = (db: Db, actor: Actor, { SeriesId, TaskName, NameRule, SNs, SkipBad, Preview }: Asked) =>
  db.tx(async (db) => {
    if (!isNameRule(NameRule)) throw new FieldFaults([{ field: 'NameRule', rule: 'product.rule', values: rulePlaces }])
    const { series, template, plan } = await templateOf(db, actor, SeriesId)
    const { EnterpriseId } = series
    const lines = SNs.map((SN, i) => ({
      Line: i + 1,
      SN,
      ProjectName: nameOf(NameRule, { series: series.SeriesName, SN, n: i + 1 }).trim(),
    }))
    const isLong = lines.some(({ ProjectName }) => !ProjectName || ProjectName.length > longestName)
    if (isLong) throw new FieldFaults([{ field: 'NameRule', rule: 'product.nameLong', values: { max: longestName } }])
    const faults = await faultsOf(db, actor, EnterpriseId, lines)
    const left = new Set(faults.map(({ line }) => line))
    const good = lines.filter((line) => !left.has(line))
    const answer = {
      ...{ Id: null as number | null, Total: good.length },
      Bad: faults.map(({ line: { Line, SN }, key }) => ({ Line, SN, Reason: word(actor.language, `fault.field.${key}`) })),
      Names: good.slice(0, shownNames).map(({ ProjectName }) => ProjectName),
      ...{ Devices: plan.Devices, Points: plan.Points },
    }
    if (Preview) return answer
    if (faults.length && !SkipBad)
      throw new FieldFaults(faults.map(({ line, key }) => ({ field: `SNs.${line.Line - 1}`, rule: `fault.field.${key}` })))
    if (!good.length) throw new FieldFaults([{ field: 'SNs', rule: 'required' }])
    await assertRoom(db, EnterpriseId)
    const [task] = await db.rows<{ Id: number }>(sql`
      insert into product_task ("EnterpriseId", "TaskName", "SeriesId", "TemplateProjectId", "NameRule", "Total", "UserId", "RoleId", "Language")
      values (${EnterpriseId}, ${TaskName || series.SeriesName}, ${SeriesId}, ${template}, ${NameRule}, ${good.length}, ${actor.UserId || null},
        ${actor.role ?? null}, ${actor.language}) returning "Id"`)
    await db.rows(sql`
      insert into product_task_row ("EnterpriseId", "TaskId", "UserId", "SN", "ProjectName")
      select ${EnterpriseId}, ${task!.Id}, ${actor.UserId || null}, l."SN", l."ProjectName"
      from jsonb_to_recordset(${JSON.stringify(good)}::jsonb) as l ("Line" integer, "SN" text, "ProjectName" text) order by l."Line"`)
    await record(db, actor, productTask, 'create', task!.Id, EnterpriseId, undefined, await store(productTask).find(db, actor, task!.Id))
    return { ...answer, Id: task!.Id }
  })
