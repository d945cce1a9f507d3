import type { ReactNode } from 'react'
import type { Look } from './clusters.ts'
import { Row } from './Row.tsx'

export type Chosen = { chosen: number | undefined; choose: (id: number | undefined) => void }
type Props<Of> = Chosen & {
  items: readonly Of[]
  name: (of: Of) => string | null
  is: (of: Of) => Look
  /** Parts of the line below the name; empty ones are omitted. */
  text: (of: Of) => readonly (string | null | undefined)[]
  children: (of: Of) => ReactNode
}

/** The list beside a map. A click on a row opens it, and a second click closes it. */
export const Rows = <Of extends { Id: number }>({ items, chosen, choose, name, is, text, children }: Props<Of>) => (
  <ul className="map-list">
    {items.map((of) => (
      <Row
        key={of.Id}
        name={name(of)}
        is={is(of)}
        text={text(of).filter(Boolean).join(' · ')}
        chosen={of.Id === chosen}
        choose={() => choose(of.Id === chosen ? undefined : of.Id)}
      >
        {children(of)}
      </Row>
    ))}
  </ul>
)

const mostListed = 100
/** The rows that a map shows, chosen one first, and whether there are more. */
export const listedOf = <Of extends { Id: number }>(inView: readonly Of[], picked: Of | undefined) => ({
  listed: [...(picked ? [picked] : []), ...inView.filter((of) => of !== picked)].slice(0, mostListed),
  isMore: inView.length > mostListed,
  mostListed,
})
