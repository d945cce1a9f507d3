// Reads points from files of other programs. Translators are pure; this part knows files, fields and the company.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Cell, SheetRow as CellRow } from '../../../../../contract/cell.ts'
import { layouts, type wordOrders } from '../../../../../contract/exports.ts'
import { addressFault, placeOf } from '../../../../../contract/protocols/index.ts'
import { type Resource, writable } from '../../../../../contract/resource.ts'
import { brokenRules } from '../../../../../contract/rules.ts'
import type { Db } from '../../../../../server/database/db.ts'
import { cellReader, plain } from '../../../../../server/files/sheet.ts'
import { readSheetPages } from '../../../../../server/files/sheetReader.ts'
import { Fault, FieldFaults } from '../../../../../server/http/faults.ts'
import type { Actor } from '../../../../../server/identity/actor.ts'
import { inSlices } from '../../../../../server/jobs/slices.ts'
import { visible } from '../../../../../server/resource/sql.ts'
import { store } from '../../../../../server/resource/store.ts'
import { device } from '../../../../configuration/devices/contract.ts'
import { point } from '../../../../configuration/points/contract.ts'
import { standardPara } from '../../../../configuration/standard-points/contract.ts'
import type { readRows, SheetRow } from '../read.ts'
import { knownNames } from '../references.ts'
import { addressStyles, guessAddressStyle, guessColumns, isOwn, titlesOf, translateColumns } from './columns.ts'
import { isKepware, translateKepware } from './kepware.ts'
import { type Given, type LaidOut, type LeftOut, layoutFields, type Translated } from './layout.ts'
import { gatewaySources, translateGateway } from './thingsboard.ts'

export type LayoutQuery = {
  Layout?: number
  Columns?: string
  WordOrder?: (typeof wordOrders)[number]
  AddressStyle?: number
  SlaveNumber?: number
  Source?: string
}
const [sampleRows, shownSamples, storedLayouts] = [200, 3, 100]

/** The gateway's file is JSON: a sheet never begins with a brace. */
const isJson = (file: Uint8Array) => /^(\uFEFF)?\s*\{/.test(new TextDecoder().decode(file.subarray(0, 200)))

const sheetOf = async (file: Buffer, tenant: number) => {
  const rows: CellRow[] = []
  await readSheetPages(file, (page) => void rows.push(...page), tenant)
  const [header, ...others] = rows
  if (!header) throw new Fault('sheetEmpty')
  return { header: header.cells, rows: others }
}

const givenBy = ({ Columns, WordOrder, AddressStyle, SlaveNumber, Source }: LayoutQuery): Given => {
  const columns = Columns?.split(',')
  const wrong = columns?.find((name, i) => name !== '' && (!layoutFields.includes(name) || columns.indexOf(name) !== i))
  if (wrong !== undefined) throw new FieldFaults([{ field: 'Columns', rule: 'layout.columns', values: { column: wrong } }])
  return {
    ...(columns && { columns }),
    ...(WordOrder && { wordOrder: WordOrder }),
    ...(AddressStyle !== undefined && { addressStyle: AddressStyle }),
    ...(SlaveNumber !== undefined && { unitId: SlaveNumber }),
    ...(Source !== undefined && { source: Source }),
  }
}

/** Whether a cell already has a word or code of ours. */
const knows = (r: Resource) => {
  const readers = new Map(['ParaDataType', 'RegisterType', 'ReadWriteType'].map((name) => [name, cellReader(r, name, 'en')]))
  return (field: string, cell: Cell) => 'value' in readers.get(field)!(cell)
}

const translate = async (r: Resource, file: Buffer, layout: number, given: Given, tenant: number): Promise<Translated> => {
  if (layout === layouts.thingsBoard) {
    const sources = gatewaySources(file)
    const source = sources.length === 1 ? sources[0] : sources.find(({ name }) => name === given.source)
    if (!source) throw new FieldFaults([{ field: 'Source', rule: 'required' }])
    return translateGateway(source, given)
  }
  const { header, rows } = await sheetOf(file, tenant)
  titlesOf(header)
  if (layout === layouts.kepware) return translateKepware(header, rows, given)
  for (const name of ['ParaName', 'Address'])
    if (!given.columns?.includes(name)) throw new FieldFaults([{ field: 'Columns', rule: 'layout.needed', values: { field: name } }])
  return translateColumns(rows, given, knows(r))
}

/** Reads the cells of translated rows. Lists the rows that have a wrong value, break a rule, or repeat a name or an address. */
const judge = async (
  r: Resource,
  rows: readonly LaidOut[],
  leftOut: LeftOut[],
  language: Parameters<typeof cellReader>[2],
): Promise<SheetRow[]> => {
  const readers = new Map(layoutFields.map((name) => [name, cellReader(r, name, language)]))
  const defaults = Object.fromEntries(writable(r, 'create').map(([name, f]) => [name, f.default ?? null]))
  const [names, places] = [new Map<string, number>(), new Map<string, number>()]
  const wrongOf = ({ row, cells }: LaidOut, values: SheetRow['values']): LeftOut | undefined => {
    const at = (column: string, rule: string, more?: LeftOut['values']): LeftOut => ({
      ...{ row, column, rule, value: String(cells[column] ?? '').slice(0, 60) },
      ...(more ? { values: more } : {}),
    })
    for (const [name, cell] of Object.entries(cells)) {
      const read = readers.get(name)!(cell)
      if (!('value' in read)) return at(name, read.rule, read.values)
      values[name] = read.value
    }
    // These files describe Modbus.
    const wrong = typeof values.Address === 'string' ? addressFault(0, values.Address) : undefined
    if (wrong) return at('Address', 'addressForm', { value: String(values.Address).slice(0, 60), at: wrong.at + 1, example: wrong.example })
    const [broken] = brokenRules(r.rules, { ...defaults, ...values }, Object.keys(values))
    if (broken) return at(broken.field, broken.rule)
    const [name, place] = [String(values.ParaName), placeOf(0, { ...defaults, ...values })]
    const [named, placed] = [names.get(name), places.get(place)]
    if (named !== undefined) return at('ParaName', 'twice', { row: named })
    if (placed !== undefined) return at('Address', 'twice', { row: placed })
    names.set(name, row)
    places.set(place, row)
    return undefined
  }
  const judged = await inSlices(
    rows,
    () => 1,
    (laid) => {
      const values: SheetRow['values'] = {}
      const wrong = wrongOf(laid, values)
      if (wrong) leftOut.push(wrong)
      return wrong ? [] : [{ row: laid.row, values }]
    },
  )
  return judged.flat()
}

/** Replaces `readRows` for a file of another program. `leftOut` collects the rows that could not be translated. */
export const layoutReader =
  (query: LayoutQuery, leftOut: LeftOut[]): typeof readRows =>
  async (r, file, { fixed, language, tenant }) => {
    if (!('DeviceId' in fixed)) throw new FieldFaults([{ field: 'DeviceId', rule: 'required' }])
    const done = await translate(r, file, query.Layout ?? layouts.sheet, givenBy(query), tenant)
    leftOut.push(...done.leftOut)
    const rows = await judge(r, done.rows, leftOut, language)
    leftOut.sort((a, b) => a.row - b.row)
    return { rows, wrong: [], letters: new Map() }
  }

const hashOf = (titles: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify(titles.map(plain)))
    .digest('hex')

/** Stores a company's mapping of the columns, by their titles. Keeps the newest mappings. */
export const rememberLayout = async (db: Db, { EnterpriseId }: Actor, file: Buffer, query: LayoutQuery) => {
  if (query.Layout !== layouts.sheet || !query.Columns) return
  const { header } = await sheetOf(file, EnterpriseId)
  const Config = JSON.stringify({ Columns: query.Columns, AddressStyle: query.AddressStyle ?? 0, WordOrder: query.WordOrder ?? null })
  await db.rows(sql`
    insert into point_layout ("EnterpriseId", "Titles", "Config") values (${EnterpriseId}, ${hashOf(titlesOf(header))}, ${Config}::jsonb)
    on conflict ("EnterpriseId", "Titles") do update set "Config" = excluded."Config", "UpdateTime" = now()`)
  await db.rows(sql`
    delete from point_layout where "EnterpriseId" = ${EnterpriseId} and "Id" in (
      select "Id" from point_layout where "EnterpriseId" = ${EnterpriseId} order by "UpdateTime" desc, "Id" desc offset ${storedLayouts})`)
}

/** Detects the layout of a file, and proposes how to read it. */
export const inspectLayout = async (db: Db, actor: Actor, file: Buffer, deviceId: number) => {
  const { SlaveNumber } = await store(device).find(db, actor, deviceId)
  const none = { Columns: [], Remembered: 0, Sources: [], AddressStyle: addressStyles.zero, WordOrder: null, AsksWordOrder: 0, SlaveNumber }
  const asks = ({ leftOut }: Translated) => Number(leftOut.some(({ rule }) => rule === 'layout.wordOrder'))
  if (isJson(file)) {
    const sources = gatewaySources(file)
    const Sources = sources.map(({ name, tags }) => ({ Name: name, Points: tags.length }))
    return {
      ...none,
      Layout: layouts.thingsBoard,
      Sources,
      AsksWordOrder: Math.max(0, ...sources.map((one) => asks(translateGateway(one, {})))),
    }
  }
  const { header, rows } = await sheetOf(file, actor.EnterpriseId)
  const titles = titlesOf(header)
  if (isKepware(header)) return { ...none, Layout: layouts.kepware, AsksWordOrder: asks(translateKepware(header, rows, {})) }
  if (isOwn(point, header)) return { ...none, Layout: layouts.own }
  const first = rows.slice(0, sampleRows)
  const [stored] = await db.rows<{ Config: { Columns: string; AddressStyle: number; WordOrder: string | null } }>(
    sql`select "Config" from point_layout where "EnterpriseId" = ${actor.EnterpriseId} and "Titles" = ${hashOf(titles)}`,
  )
  const texts = [...new Set(first.flatMap(({ cells }) => cells.flatMap((cell) => (typeof cell === 'string' ? plain(cell) : []))))]
  const standards = () => knownNames(db, standardPara, texts, visible(standardPara, actor))
  const columns = stored?.Config.Columns.split(',') ?? guessColumns(point, header, first, await standards())
  const samplesOf = (i: number) => [...new Set(first.flatMap(({ cells }) => (cells[i] == null ? [] : [String(cells[i]).slice(0, 40)])))]
  return {
    ...none,
    Layout: layouts.sheet,
    Columns: titles.map((Title, i) => ({ Title, Field: columns[i] ?? '', Samples: samplesOf(i).slice(0, shownSamples) })),
    Remembered: Number(stored !== undefined),
    AddressStyle: stored?.Config.AddressStyle ?? guessAddressStyle(columns, first),
    WordOrder: stored?.Config.WordOrder ?? null,
    AsksWordOrder: asks(translateColumns(rows, { columns }, knows(point))),
  }
}
