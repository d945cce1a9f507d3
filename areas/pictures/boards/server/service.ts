import { sql } from 'kysely'
import { type Condition, LogicOP } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import type { Work } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { named as resourceNamed, table, visible } from '../../../../server/resource/sql.ts'
import { store, tenantOf } from '../../../../server/resource/store.ts'
import { assertRoom } from '../../flowcharts/server/service.ts'
import { type BoardContent, columns, emptyBoard, most, visualBoard } from '../contract.ts'
import { type Board, namedIn, resourceOf } from './named.ts'
import { keepVersion, versionContent } from './versions.ts'

export { chosenOf, readData } from './data.ts'

type Values = Record<string, unknown>
type Ids = ReturnType<typeof namedIn>
type Name = keyof Ids
type Found = Record<Name, Set<number>>

/** The records among these that the actor sees, or that exist in their company. */
const found = async (db: Db, actor: Actor, ids: Ids, enterprise: number, sight: 'seen' | 'all'): Promise<Found> => {
  const entries = Object.entries(ids) as [Name, number[]][]
  const rows = await db.all(
    entries.map(([name, of]) => {
      const r = resourceNamed(name)
      const company = r.shared ? sql`true` : sql`t."EnterpriseId" = ${enterprise}`
      return sql<{ Id: number }>`
        select "Id" from ${table(r)} t where "Id" = any(${of}::bigint[]) and ${company} and ${sight === 'seen' ? visible(r, actor) : sql`true`}`
    }),
  )
  return Object.fromEntries(entries.map(([name], i) => [name, new Set(rows[i]!.map(({ Id }) => Id))])) as Found
}

/** Removes everything from the content that is not among these records. */
const cutTo = (content: BoardContent, seen: Found): BoardContent => ({
  ...content,
  Variables: content.Variables.map(({ Name, Id }) => (Id && seen[resourceOf[Name]].has(Id) ? { Name, Id } : { Name })),
  Widgets: content.Widgets.map(({ Flowchart, Group, Chart, ...widget }) => ({
    ...widget,
    ...(Group && seen.reportGroup.has(Group) && { Group }),
    ...(Chart && seen.savedChart.has(Chart) && { Chart }),
    ...(Flowchart && seen.flowchart.has(Flowchart) && { Flowchart }),
    ...(widget.Points && { Points: widget.Points.filter((id) => seen.point.has(id)) }),
    ...(widget.Devices && { Devices: widget.Devices.filter((id) => seen.device.has(id)) }),
  })),
})

/** Faults that the schema cannot express. */
const shapeFaults = ({ Widgets, Variables }: BoardContent): FieldFault[] => {
  const ids = new Set<string>()
  const faults = Widgets.flatMap(({ Id, X, W }, i): FieldFault[] => {
    const twice = ids.has(Id)
    ids.add(Id)
    const at = `Content.Widgets.${i}`
    if (twice) return [{ field: `${at}.Id`, rule: 'taken' }]
    return X + W > columns ? [{ field: `${at}.W`, rule: 'max', values: { max: columns - X } }] : []
  })
  if (new Set(Variables.map(({ Name }) => Name)).size < Variables.length) faults.push({ field: 'Content.Variables', rule: 'taken' })
  const points = new Set(Widgets.flatMap((w) => w.Points ?? [])).size
  if (points > most.points) faults.push({ field: 'Content.Widgets', rule: 'max', values: { max: most.points } })
  const pictures = new Set(Widgets.flatMap(({ Flowchart }) => Flowchart ?? [])).size
  if (pictures > most.pictures) faults.push({ field: 'Content.Widgets', rule: 'board.pictures', values: { max: most.pictures } })
  return faults
}

const imageFaults = ({ Widgets }: BoardContent, images: Board['Images'], before: Board['Images'] = []): FieldFault[] => {
  const paths = new Set([...(images ?? []), ...(before ?? [])].map(({ FilePath }) => FilePath))
  return Widgets.flatMap(({ Image }, i) =>
    Image && !paths.has(Image) ? [{ field: `Content.Widgets.${i}.Image`, rule: 'unknownReference' }] : [],
  )
}

/** Widget fields with references, by resource. */
const records = [
  ['Flowchart', 'flowchart'],
  ['Group', 'reportGroup'],
  ['Chart', 'savedChart'],
] as const

const foreign = ({ Widgets, Variables }: BoardContent, seen: Found, before: Ids | undefined): FieldFault[] => {
  const isWrong = (name: Name, id: number) => !seen[name].has(id) && !before?.[name].includes(id)
  const wrong = (ids: readonly number[] | undefined, name: Name) => (ids ?? []).some((id) => isWrong(name, id))
  return [
    ...Widgets.flatMap((w, i): FieldFault[] => [
      ...(wrong(w.Points, 'point') ? [{ field: `Content.Widgets.${i}.Points`, rule: 'unknownReference' }] : []),
      ...(wrong(w.Devices, 'device') ? [{ field: `Content.Widgets.${i}.Devices`, rule: 'unknownReference' }] : []),
      ...records.flatMap(([field, name]) =>
        w[field] && isWrong(name, w[field]) ? [{ field: `Content.Widgets.${i}.${field}`, rule: 'unknownReference' }] : [],
      ),
    ]),
    ...Variables.flatMap(({ Name, Id }, i) =>
      Id && isWrong(resourceOf[Name], Id) ? [{ field: `Content.Variables.${i}.Id`, rule: 'unknownReference' }] : [],
    ),
  ]
}

/** Narrowed users cannot change boards of the whole company. */
const assertMayWrite = (actor: Actor, ProjectId: number | null | undefined) => {
  if (!ProjectId && actor.projects !== 'all') throw new Fault('moreRights')
}

/** Refuses content with references invisible to the actor. Returns the existing records. */
const assertSeesAll = async (db: Db, actor: Actor, ids: Ids, enterprise: number): Promise<Found> => {
  const [seen, all] = [await found(db, actor, ids, enterprise, 'seen'), await found(db, actor, ids, enterprise, 'all')]
  if ((Object.keys(all) as Name[]).some((name) => [...all[name]].some((id) => !seen[name].has(id)))) throw new Fault('moreRights')
  return seen
}

/**
 * Validates content with the rights of its author. Removes references to deleted records. A board with references invisible to the
 * author cannot be edited, because a save would remove them.
 */
const checkContent = async (db: Db, actor: Actor, given: Values, held?: Board): Promise<Values> => {
  assertMayWrite(actor, held ? held.ProjectId : (given.ProjectId as number | null))
  if (!given.Content) return given
  const content = given.Content as BoardContent
  const faults = [...shapeFaults(content), ...imageFaults(content, given.Images as Board['Images'], held?.Images)]
  if (faults.length) throw new FieldFaults(faults)
  const enterprise = held?.EnterpriseId ?? (await tenantOf(db, actor, visualBoard, given))
  const before = held && namedIn(held.Content)
  if (before) await assertSeesAll(db, actor, before, enterprise)
  const named = namedIn(content)
  // Lock the referenced records, so that they are not deleted before the board is saved.
  for (const [, name] of records)
    if (named[name].length)
      await db.rows(sql`select 1 from ${table(resourceNamed(name))} where "Id" = any(${named[name]}::bigint[]) for key share`)
  const seen = await found(db, actor, named, enterprise, 'seen')
  const wrong = foreign(content, seen, before)
  if (wrong.length) throw new FieldFaults(wrong)
  return { ...given, Content: cutTo(content, seen) }
}

const boards = store(visualBoard, checkContent)

/** The board, reduced to the actor's scope. */
const shown = async (db: Db, actor: Actor, board: Board): Promise<Board> => ({
  ...board,
  Content: cutTo(board.Content, await found(db, actor, namedIn(board.Content), board.EnterpriseId, 'seen')),
})
const find = async (db: Db, actor: Actor, id: number) => shown(db, actor, await boards.find(db, actor, id))

const equals = (Field: string, Value: number): Condition => ({ Field, Value, LogicOP: LogicOP.equals })
const list: Work['list'] = async (db, actor, q) => {
  const page = await boards.list(db, actor, q)
  return { ...page, Items: page.Items.map((board) => ({ ...board, Content: emptyBoard })) }
}

/** Changes a board, and stores the new version. */
const change = (db: Db, actor: Actor, id: number, given: Values) =>
  db.tx(async (db) => {
    const before = await boards.find(db, actor, id)
    const after = await boards.update(db, actor, id, given)
    await keepVersion(db, actor, before, after)
    await assertRoom(db, after.EnterpriseId)
    return after
  }, `visual board ${id}`)

/** The kernel's calls for boards. */
export const boardWork: Work = {
  find,
  list,
  create: (db, actor, given) =>
    db.tx(async (db) => {
      const made = await boards.create(db, actor, given)
      await assertRoom(db, made.EnterpriseId)
      return made
    }),
  // A conflict returns the current board, reduced to the caller's scope.
  update: (db, actor, id, given) =>
    change(db, actor, id, given).catch(async (error) => {
      if (error instanceof Fault && error.key === 'changedMeanwhile') throw new Fault(error.key, {}, { Current: await find(db, actor, id) })
      throw error
    }),
  remove: async (db, actor, ids) => {
    for (const id of ids) assertMayWrite(actor, (await boards.find(db, actor, id)).ProjectId)
    return boards.remove(db, actor, ids)
  },
}

export const boardsService = {
  find,
  /** The stored board, for reading its data. */
  stored: boards.find,
  rename: async (db: Db, actor: Actor, { Id }: Board, Title: unknown) => shown(db, actor, await boards.update(db, actor, Id, { Title })),
  /** Restores an old version, without records and images that no longer exist. */
  restore: (db: Db, actor: Actor, { Id, Version }: { Id: number; Version: number }) =>
    db.tx(async (db) => {
      const board = await boards.find(db, actor, Id)
      const content = await versionContent(db, board, Version)
      const seen = await assertSeesAll(db, actor, namedIn(content), board.EnterpriseId)
      const images = new Set((board.Images ?? []).map(({ FilePath }) => FilePath))
      const cut = cutTo(content, seen)
      const Widgets = cut.Widgets.map(({ Image, ...widget }) => (Image && images.has(Image) ? { ...widget, Image } : widget))
      await change(db, actor, Id, { Content: { ...cut, Widgets } })
      return find(db, actor, Id)
    }),
  /** Sets the default board in place of the previous one, or clears it. */
  setDefault: (db: Db, actor: Actor, { Id, EnterpriseId, ProjectId }: Board, IsDefault: 0 | 1) =>
    db.tx(async (db) => {
      const others = IsDefault
        ? await db.rows<{ Id: number }>(
            sql`select "Id" from visual_board where "EnterpriseId" = ${EnterpriseId} and coalesce("ProjectId", 0) = ${ProjectId ?? 0} and "IsDefault" = 1 and "Id" <> ${Id}`,
          )
        : []
      assertMayWrite(actor, ProjectId)
      if (others.length)
        await setMany(
          db,
          actor,
          visualBoard,
          others.map(({ Id }) => Id),
          { IsDefault: 0 },
        )
      await setMany(db, actor, visualBoard, [Id], { IsDefault })
      return find(db, actor, Id)
    }, `default board of ${EnterpriseId}`),
  /** The default board of the project, otherwise of the company. */
  defaultOf: async (db: Db, actor: Actor, { ProjectId, EnterpriseId }: { ProjectId?: number; EnterpriseId?: number }) => {
    const company = actor.platform && EnterpriseId ? EnterpriseId : actor.EnterpriseId
    const [board] = await db.rows<{ Id: number }>(sql`
      select "Id" from visual_board t where "EnterpriseId" = ${company} and "IsDefault" = 1
        and ("ProjectId" is null or "ProjectId" = ${ProjectId ?? null}) and ${visible(visualBoard, actor)}
      order by "ProjectId" nulls last limit 1`)
    return board ? find(db, actor, board.Id) : null
  },
  defaults: (db: Db, actor: Actor, query: Values) => {
    const q = readListing(query)
    return list(db, actor, { ...q, relation: 1, conditions: [...q.conditions, equals('IsDefault', 1)] })
  },
}
