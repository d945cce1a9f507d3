import type { MeterItem } from '../../../contract/protocols/meter-data.ts'
import type { Browsed } from '../driver.ts'

const finding = 'meter'

/** The groups of identifiers, the identifiers of a group, and the address of the only meter on a line. */
export const browseItems = async (
  items: ReadonlyMap<string, MeterItem>,
  below: string | undefined,
  find: () => Promise<string>,
): Promise<Browsed[]> => {
  const all = [...items.values()]
  if (below === finding) return [{ id: 'found', name: await find(), hasMore: false }]
  if (below === undefined)
    return [
      ...[...new Set(all.map(({ group }) => group))].map((group) => ({ id: `group/${group}`, name: group, hasMore: true })),
      { id: finding, name: 'Address of the only meter on the line', hasMore: true },
    ]
  return all
    .filter(({ group }) => below === `group/${group}`)
    .flatMap(({ identifier, parts, isWritable }) =>
      parts.map((part, i) => {
        const address = parts.length > 1 ? `${identifier}/${i + 1}` : identifier
        return {
          ...{ id: address, name: part.name, hasMore: false, address },
          ...(part.unit ? { unit: part.unit } : {}),
          ...(isWritable ? { isWritable } : {}),
        }
      }),
    )
}
