// Rows of one owner that a spreadsheet changes and adds together.
import { type TSchema, Type } from 'typebox'
import { Id, type Resource, schemas } from './resource.ts'

/** Rows of one call with edited cells. */
export const mostCellRows = 1000

/** Edited cells and new rows of one owner. A row with an Id changes the fields that it names; others are added. */
export const cellRows = (r: Resource) => {
  const { [r.owner]: _, ...item } = schemas(r).draft.properties as Record<string, TSchema>
  const cells = Type.Partial(Type.Object(item)).properties
  return Type.Array(Type.Object({ Id: Type.Optional(Id), UpdateStamp: Type.Optional(Type.Number()), ...cells }), {
    minItems: 1,
    maxItems: mostCellRows,
  })
}
export const CellsSaved = Type.Object({ Changed: Type.Integer(), Added: Type.Integer() })
