// Symbols that a company draws for itself: shapes, ports and states as ours have them. A scene carries those that it uses.
import { type Static, Type } from 'typebox'
import { Colour } from './colour.ts'
import { longestSide, mostParts, mostPathText, mostPorts, roles, sides } from './drawingLimits.ts'
import { segmentsOf } from './path.ts'

const strict = { additionalProperties: false }
const oneOf = <const T extends string>(names: readonly T[]) => Type.Unsafe<T>(Type.Union(names.map((name) => Type.Literal(name))))
const Place = Type.Number({ minimum: -longestSide, maximum: 2 * longestSide })
const Side = Type.Number({ minimum: 1, maximum: longestSide })
const Name = Type.String({ minLength: 1, maxLength: 50 })

/** What a person draws of a symbol. */
export const Drawing = Type.Object(
  {
    width: Side,
    height: Side,
    parts: Type.Array(
      Type.Object(
        {
          role: oneOf(roles),
          d: Type.String({ maxLength: mostPathText, pattern: '^M[MLHVCSQTAZ0-9 .,-]+$' }),
          about: Type.Optional(Type.Tuple([Place, Place])),
          name: Type.Optional(Name),
          fill: Type.Optional(Colour),
          stroke: Type.Optional(Colour),
        },
        strict,
      ),
      { minItems: 1, maxItems: mostParts },
    ),
    ports: Type.Array(
      Type.Object(
        {
          id: Type.String({ pattern: '^[a-z0-9-]{1,20}$' }),
          ...{ x: Place, y: Place, side: oneOf(sides) },
          line: Type.Optional(oneOf(['pipe', 'signal', 'power'])),
        },
        strict,
      ),
      { maxItems: mostPorts },
    ),
    letters: Type.Optional(Type.Tuple([Place, Place, Type.Number({ minimum: 1, maximum: longestSide })])),
  },
  strict,
)
export type Drawing = Static<typeof Drawing>

/** As a scene carries it. `own.<Id>` of the company's symbol. */
export const OwnSymbol = Type.Object({ id: Type.String({ pattern: '^own\\.[1-9][0-9]{0,15}$' }), name: Name, drawing: Drawing }, strict)
export type OwnSymbol = Static<typeof OwnSymbol>

/** Characters of paths. They are parsed in one go. */
export const pathText = (parts: Drawing['parts']) => parts.reduce((sum, { d }) => sum + d.length, 0)

/** What is wrong with a drawing whose shape fits. `rule` is a key of words at `fault.field.<rule>`. */
export const drawingFaults = ({ parts, ports }: Drawing): { field: string; rule: string; values?: Record<string, number> }[] => {
  const isBroken = (d: string) => !segmentsOf(d)?.every(({ numbers }) => numbers.every((n) => Math.abs(n) <= 2 * longestSide))
  const broken = () => parts.flatMap(({ d }, i) => (isBroken(d) ? [{ field: `parts.${i}.d`, rule: 'pattern' }] : []))
  return [
    ...(pathText(parts) > mostPathText ? [{ field: 'parts', rule: 'max', values: { max: mostPathText } }] : broken()),
    ...(new Set(ports.map(({ id }) => id)).size < ports.length ? [{ field: 'ports', rule: 'symbol.portTwice' }] : []),
  ]
}
