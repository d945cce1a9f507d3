import type { MouseEvent } from 'react'

const cellOf = ({ target }: MouseEvent) => (target as Element).closest('td')

/** Gives a truncated cell its full text as title when the pointer enters it. */
export const saysCut = {
  onMouseOver: (e: MouseEvent) => {
    const cell = cellOf(e)
    if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent
  },
  // After scrolling, the cell may show another row.
  onMouseOut: (e: MouseEvent) => cellOf(e)?.removeAttribute('title'),
}
