import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { assertSeesAsMuch } from '../../../../server/identity/dataScope.ts'
import { column, visible } from '../../../../server/resource/sql.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { user } from '../../../people/users/contract.ts'
import { flowchart, viewing } from '../../../pictures/flowcharts/contract.ts'
import { type About, aboutNames, namesOf } from '../about.ts'
import { type Block, placeholders, unitsOf, unknownPlaceholders } from '../blocks.ts'
import { type reportCalls, reportTemplate, type TemplateVersion } from '../contract.ts'
import { assertAbout, assertSeen, pointsAbout } from './about.ts'
import { buildReport, prepareReport, type Reader } from './build.ts'

type Values = Record<string, unknown>

const placeholderFaults = (field: string, text: unknown): FieldFault[] => {
  const [name] = typeof text === 'string' ? unknownPlaceholders(text) : []
  return name === undefined
    ? []
    : [{ field, rule: 'placeholder', values: { name: `{${name}}`, known: placeholders.map((p) => `{${p}}`).join(' ') } }]
}

/** Refuses what a block cannot do, by its place. */
const faultsOf = (blocks: readonly Block[]) =>
  blocks.flatMap(({ Type, Unit, Title, Text, Flowchart }, i): FieldFault[] => [
    ...placeholderFaults(`Blocks.${i}.Title`, Title),
    ...placeholderFaults(`Blocks.${i}.Text`, Text),
    ...(Unit && !unitsOf(Type).includes(Unit) ? [{ field: `Blocks.${i}.Unit`, rule: 'notOfBlock' }] : []),
    ...(Type === 'picture' && !Flowchart ? [{ field: `Blocks.${i}.Flowchart`, rule: 'required' }] : []),
    ...(Type !== 'picture' && Flowchart ? [{ field: `Blocks.${i}.Flowchart`, rule: 'notOfBlock' }] : []),
    ...(Type === 'text' && !Text?.trim() ? [{ field: `Blocks.${i}.Text`, rule: 'required' }] : []),
  ])
const assertContent = ({ Heading, Blocks = [] }: { Heading?: unknown; Blocks?: unknown }) => {
  const faults = [...placeholderFaults('Heading', Heading), ...faultsOf(Blocks as Block[])]
  if (faults.length) throw new FieldFaults(faults)
}

/** Pictures out of the actor's sight count as missing. */
const assertPictures = async (db: Db, actor: Actor, blocks: readonly Block[]) => {
  const ids = blocks.flatMap(({ Flowchart }) => Flowchart ?? [])
  const seen = ids.length
    ? await db.rows<{ Id: number }>(
        sql`select t."Id" from flowchart t where t."Id" = any(${ids}::bigint[]) and ${visible(flowchart, actor)}`,
      )
    : []
  const known = new Set(actor.may.has(viewing) ? seen.map(({ Id }) => Id) : [])
  const faults = blocks.flatMap(({ Flowchart }, i): FieldFault[] =>
    Flowchart && !known.has(Flowchart) ? [{ field: `Blocks.${i}.Flowchart`, rule: 'unknownReference' }] : [],
  )
  if (faults.length) throw new FieldFaults(faults)
}

/** Schedules make reports of a template with the sight of their owners: who sees less does not change what these are about. */
const assertMayChange = async (db: Db, actor: Actor, id: number) => {
  const owners = await db.rows<{ Id: number }>(
    sql`select distinct "OwnerId" as "Id" from report_schedule where "ReportTemplateId" = ${id} and "OwnerId" <> ${actor.UserId}`,
  )
  await assertSeesAsMuch(
    db,
    actor,
    owners.map(({ Id }) => Id),
  )
}

/**
 * Checks what a report is about, if that changes. Empties the fields of the previous choice, except `keeps`: a device that the report is no
 * longer about must not hide the record.
 */
export const withAbout = async (db: Db, actor: Actor, given: Values, held?: Values, keeps: readonly string[] = []): Promise<Values> => {
  if (held && ['About', ...aboutNames].every((name) => given[name] === undefined)) return given
  const of = { ...held, ...given } as Omit<About, 'About'> & { About?: About['About'] | 'template' }
  const { About = 'group' } = of
  const isOther = held && given.About !== undefined && given.About !== held.About
  const stays = [...namesOf(About), ...keeps]
  const left = isOther ? aboutNames.filter((name) => given[name] === undefined && !stays.includes(name)) : []
  if (About !== 'template') await assertAbout(db, actor, { ...of, About })
  return { ...given, ...Object.fromEntries(left.map((name) => [name, null])) }
}

export const checkTemplate: Check = async (db, actor, given, held) => {
  if (held) await assertMayChange(db, actor, held.Id)
  assertContent(given)
  if (given.Blocks) await assertPictures(db, actor, given.Blocks as Block[])
  return withAbout(db, actor, given, held)
}

const templates = store(reportTemplate, checkTemplate)
const versionAbout = sql.join(aboutNames.map((name) => column(name, 'v')))
/** The author comes from the log entry of the same transaction, which has the same time. */
const versionColumns = (
  actor: Actor,
) => sql`v."Version", v."TemplateName", v."Heading", v."About", ${versionAbout}, v."Period", v."Paper", v."Landscape", v."Blocks",
  (extract(epoch from v."CreateTime") * 1000)::float8 as "CreateTime", (
    select coalesce(u."UserName", u."UserNO") from change c join "user" u on u."Id" = c."UserId" and ${visible(user, actor, 'u')}
    where c."EnterpriseId" = v."EnterpriseId" and c."Resource" = ${reportTemplate.name} and c."RecordId" = v."TemplateId" and c."Time" = v."CreateTime"
    limit 1) as "UserName"`

export const versionsOf = async (db: Db, actor: Actor, id: number) => {
  const { Id } = await templates.find(db, actor, id)
  return db.rows<TemplateVersion>(
    sql`select ${versionColumns(actor)} from report_template_version v where v."TemplateId" = ${Id} order by v."Version" desc`,
  )
}

/** Runs the template's own checks: a deleted group or a duplicate name fails with an error on its field. */
export const restoreVersion = (db: Db, actor: Actor, id: number, version: number) =>
  db.tx(async (db) => {
    const was = (await versionsOf(db, actor, id)).find(({ Version }) => Version === version)
    if (!was) throw notFound()
    const { Version, CreateTime, UserName, ...content } = was
    await templates.update(db, actor, id, content)
    return { Id: id }
  })

export const previewTemplate = async (reader: Reader, actor: Actor, asked: Body<typeof reportCalls.preview>) => {
  assertContent(asked)
  // Includes fields that the choice does not use.
  await assertSeen(reader.database.as(actor), actor, asked, aboutNames)
  const ParaIds = await pointsAbout(reader, actor, { About: 'group', ...asked } as About)
  const prepared = await prepareReport(reader, actor, { ParaIds, Language: asked.Language, Period: asked.Period })
  const running = { signal: new AbortController().signal, progress: () => undefined }
  const { Heading: Title = '', Blocks, Paper = 'auto', Landscape } = asked
  return buildReport(prepared, { Title, Blocks, Paper, Landscape: Landscape === 1 }, running)
}
