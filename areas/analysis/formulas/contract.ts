import { type Static, Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { longestExpression } from '../../../contract/expression/parse.ts'
import { choice, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { ParaInfo } from '../../../contract/telemetry.ts'

/** Points and other formulas that one formula names. */
export const mostNamed = 20
/** Stored points behind a formula, those of formulas in it included. */
export const mostBehind = 100

/**
 * A value that is worked out from points of a project when somebody asks. Its Id comes from the points' own sequence, so that calls of the
 * analysis take it like a point's.
 */
export const formulaPoint = resource('formulaPoint', {
  path: '/DataCenter/FormulaPoint',
  permission: 'm10313',
  readBy: 'm10301',
  title: 'FormulaName',
  owner: 'ProjectId',
  order: 'FormulaName',
  fields: {
    FormulaName: text({ required: true, unique: 'ProjectId', search: true, max: 60 }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    Expression: long({ required: true, max: longestExpression }),
    ParaUnitName: text({ max: 20 }),
    DecimalDigits: number({ required: true, integer: true, min: 0, max: 6, default: 2 }),
    /** What its values are: 0 instantaneous, 3 a state, 4 a rate. Words at `formulaPoint.CalDataType.<code>`. */
    CalDataType: choice([0, 3, 4], { required: true, default: 0 }),
    PointIds: json({ required: true, set: 'never', default: [], schema: IdList(mostNamed) }),
    FormulaIds: json({ required: true, set: 'never', default: [], schema: IdList(mostNamed), names: { formulaPoint: '$[*]' } }),
  },
})

/** What is wrong with an expression, at which character, counted from 0. Words at `expression.<key>`. */
const Flaw = Type.Object({ Key: Type.String(), At: Type.Integer(), Text: Type.String() })
export type Flaw = Static<typeof Flaw>
const Nullable = Type.Union([Type.Number(), Type.Null()])

export const formulaCalls = {
  /** Validates an expression while it is typed; answers its points and a preview. */
  check: call({
    method: 'POST',
    path: '/DataCenter/FormulaPoint/CheckExpression',
    permission: 'm10313',
    reads: true,
    body: Type.Object({
      ...{ ProjectId: Id, Expression: Type.String({ maxLength: longestExpression }) },
      Id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of the formula that is changed.' })),
      Hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, description: 'Hours of the preview, up to now. Default: 24.' })),
    }),
    answer: Type.Object({
      Flaw: Type.Union([Flaw, Type.Null()]),
      Points: Type.Array(ParaInfo, { description: 'What it names.' }),
      ...{ Time: Type.Array(Type.Number()), Value: Type.Array(Nullable) },
      Failed: Type.Integer({ description: 'Steps of the preview in which the points have values and the formula has none.' }),
    }),
  }),
}
