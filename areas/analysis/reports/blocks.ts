// The blocks of a report template, and the parts that they become with readings.
import { type Static, type TSchema, Type } from 'typebox'
import type { Tree } from '../../../contract/picture/tree.ts'
import { Id } from '../../../contract/resource.ts'

const one = <const T extends readonly string[]>(names: T) => Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))

/**
 * Blocks that other areas make, of the projects of the report's points. Makers are listed in `main/reportBlocks.ts`. `needs`: codes that a
 * reader holds; `isMoney`: addresses outside get it only where the schedule names them for it.
 */
export const areaBlocks = {
  energy: { needs: ['m10701'], isMoney: false },
  cost: { needs: ['m10701', 'm10701.cost'], isMoney: true },
  dosing: { needs: ['m10723'], isMoney: false },
  coldRooms: { needs: ['m10733'], isMoney: false },
  coldExcursions: { needs: ['m10214'], isMoney: false },
} as const satisfies Record<string, { needs: readonly string[]; isMoney: boolean }>
export type AreaBlock = keyof typeof areaBlocks
export const areaBlockOf = (type: string): AreaBlock | undefined => (Object.hasOwn(areaBlocks, type) ? (type as AreaBlock) : undefined)
/** Permissions required to read these blocks. */
export const needsOf = (blocks: readonly { Type: string }[]): string[] => [
  ...new Set(blocks.flatMap(({ Type }) => areaBlockOf(Type) ?? []).flatMap((type) => areaBlocks[type].needs)),
]
/** Permissions required to send money to outside addresses. The template may get cost blocks later. */
export const moneyNeeds = needsOf(Object.entries(areaBlocks).flatMap(([Type, { isMoney }]) => (isMoney ? [{ Type }] : [])))
export const hasMoney = (blocks: readonly { Type: string }[]) =>
  blocks.some(({ Type }) => {
    const type = areaBlockOf(Type)
    return type !== undefined && areaBlocks[type].isMoney
  })

/** Words at `report.block.<name>`. */
export const blockTypes = [
  ...(['keyFigures', 'curve', 'bars', 'timeTable', 'deviceTable', 'statistics', 'comparison', 'limits', 'histogram'] as const),
  ...(['alarms', 'notes', 'io', 'coverage', 'picture', 'text', 'pageBreak'] as const),
  ...(Object.keys(areaBlocks) as AreaBlock[]),
] as const
export type BlockType = (typeof blockTypes)[number]
export const blockUnits = ['hour', 'day', 'week', 'month', 'shift'] as const
export const blockPoints = ['all', 'levels', 'counts', 'states'] as const
/** Shifts divide tables; bars are of calendar units. */
export const unitsOf = (type: BlockType): readonly (typeof blockUnits)[number][] =>
  type === 'timeTable' ? blockUnits : type === 'bars' ? ['hour', 'day', 'week', 'month'] : []
/** Blocks that show some of the points. */
export const choosesPoints = (type: BlockType) =>
  ['keyFigures', 'curve', 'bars', 'timeTable', 'deviceTable', 'statistics', 'comparison'].includes(type)

/** Sizes of paper; `auto` is what is usual in the company's time zone. */
export const papers = ['A4', 'A3', 'A5', 'Letter', 'Legal'] as const
export type Paper = (typeof papers)[number]
export const paperChoices = ['auto', ...papers] as const
export type PaperChoice = (typeof paperChoices)[number]

/** Placeholders for report headings and texts, such as `{company}`. Words at `report.placeholder.<name>`. */
export const placeholders = ['company', 'from', 'to', 'made', 'devices', 'points'] as const
export type Placeholder = (typeof placeholders)[number]
const placed = /\{([^{}\n]{0,60})\}/g
/** Unknown placeholders in a text. */
export const unknownPlaceholders = (text: string) =>
  [...text.matchAll(placed)].flatMap(([, name]) => (placeholders.some((known) => known === name) ? [] : [name!]))
export const filledIn = (text: string, values: Record<Placeholder, string>) =>
  text.replace(placed, (whole, name: string) => (placeholders.some((known) => known === name) ? values[name as Placeholder] : whole))

/** `Unit` divides tables by time and bars; `Points` are those whose values are levels, counts or states, or all; `Flowchart` is a picture's. */
export const Block = Type.Object(
  {
    ...{ Type: one(blockTypes), Unit: Type.Optional(one(blockUnits)), Points: Type.Optional(one(blockPoints)) },
    ...{ Title: Type.Optional(Type.String({ maxLength: 100 })), Text: Type.Optional(Type.String({ maxLength: 4000 })) },
    Flowchart: Type.Optional(Id),
  },
  { additionalProperties: false },
)
export type Block = Static<typeof Block>

const Nullable = Type.Union([Type.Number(), Type.Null()])
const Column = Type.Object({
  ...{ Title: Type.String(), Is: one(['text', 'number', 'percent', 'duration', 'time', 'day']), Digits: Type.Optional(Type.Integer()) },
})
export type Column = Static<typeof Column>
const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()])
export type ReportCell = Static<typeof Cell>
const Curve = Type.Object({
  ...{ Name: Type.String(), Unit: Type.String(), Digits: Type.Integer(), Time: Type.Array(Type.Number()), Value: Type.Array(Nullable) },
})
export type Curve = Static<typeof Curve>
/** For how much of the time a point was in each step of its values. `Note`: why there are no steps, or since when readings are kept. */
const Spread = Type.Object({
  ...{ Name: Type.String(), Unit: Type.String(), Low: Type.Number(), Width: Type.Number() },
  Shares: Type.Array(Type.Number(), { description: 'Of the time with a value, 0 to 1.' }),
  Note: Type.String(),
})
export type Spread = Static<typeof Spread>
const is = <const N extends string, P extends Record<string, TSchema>>(name: N, properties: P) =>
  Type.Object({ Is: Type.Unsafe<N>(Type.Literal(name)), ...properties })

/** A part of a report with its readings: every format is made from it. Times are epoch ms, durations ms. */
export const Part = Type.Union([
  is('title', { Text: Type.String() }),
  is('break', {}),
  is('text', { Title: Type.String(), Text: Type.String() }),
  is('figures', {
    Title: Type.String(),
    Figures: Type.Array(
      Type.Object({ Name: Type.String(), Unit: Type.String(), Digits: Type.Integer(), Value: Nullable, Coverage: Nullable }),
    ),
  }),
  is('table', { Title: Type.String(), Columns: Type.Array(Column), Rows: Type.Array(Type.Array(Cell)), More: Type.Integer() }),
  is('chart', { Title: Type.String(), Bars: Type.Boolean(), Start: Type.Number(), End: Type.Number(), Curves: Type.Array(Curve) }),
  is('histogram', {
    ...{ Title: Type.String(), Spreads: Type.Array(Spread) },
    More: Type.Integer({ description: 'Points that are left out.' }),
  }),
  // Values at the end of the period. `Size`: characters of the drawing.
  is('picture', {
    ...{ Title: Type.String(), Drawn: Type.Unsafe<Tree>(Type.Unknown()), Size: Type.Integer() },
    ...{ Width: Type.Number(), Height: Type.Number() },
  }),
])
export type Part = Static<typeof Part>

/** Footer of a verifiable report: its number and the SHA-256 of its record, as text and QR code. */
const Seal = Type.Object({ No: Type.String(), Sha256: Type.String() })

export const ReportDocument = Type.Object({
  ...{ Title: Type.String(), Company: Type.String() },
  Logo: Type.Union([Type.String(), Type.Null()], { description: 'A picture of the company as data, where it has one.' }),
  ...{ TimeZone: Type.String(), Start: Type.Number(), End: Type.Number(), Made: Type.Number() },
  ...{ Coverage: Nullable, Points: Type.Integer(), Parts: Type.Array(Part), Landscape: Type.Optional(Type.Boolean()) },
  Paper: Type.Optional(one(papers)),
  TemplateVersion: Type.Optional(Type.Integer({ description: 'Of the template that it was made from.' })),
  Seal: Type.Optional(Seal),
})
export type ReportDocument = Static<typeof ReportDocument>
