import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { json, text } from '../../../contract/field.ts'
import { Drawing } from '../../../contract/picture/drawing.ts'
import { mostPathText } from '../../../contract/picture/drawingLimits.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** A symbol drawn by a company. Pictures contain copies of the symbols they use, so that a published picture never changes. */
export const pictureSymbol = resource('pictureSymbol', {
  path: '/Project/Ddt/Symbol',
  permission: 'm10130',
  title: 'SymbolName',
  order: 'SymbolName',
  fields: {
    SymbolName: text({ required: true, unique: true, search: true }),
    Drawing: json({ required: true, schema: Drawing }),
  },
})

/** Maximum symbols of a company, and of a file. */
export const mostSymbols = 500
export const mostImported = 100

const Portable = Type.Object({ SymbolName: Type.String({ minLength: 1, maxLength: 50 }), Drawing }, { additionalProperties: false })
export type Portable = Static<typeof Portable>
/** A symbol of a file as stored here; `Made` unless the company had an identical one. */
const Adopted = Type.Object({ Id, SymbolName: Type.String(), Made: Type.Boolean() })
export type Adopted = Static<typeof Adopted>

export const symbolCalls = {
  /** Imports symbols of a file, in its order. Identical drawings are not duplicated. */
  fromFile: call({
    method: 'POST',
    path: `${pictureSymbol.path}/FromFile`,
    permission: `${pictureSymbol.permission}.add`,
    body: Type.Object(
      { Symbols: Type.Array(Portable, { minItems: 1, maxItems: mostImported }), EnterpriseId: Type.Optional(Id) },
      { 'x-bytes': mostImported * (mostPathText + 16 * 1024) },
    ),
    answer: Type.Array(Adopted),
  }),
}
