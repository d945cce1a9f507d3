import type { MouseEvent } from 'react'

const cellOf = ({ target }: MouseEvent) => (target as Element).closest('td')

/** For a body of cells: the one that the pointer comes to says in full what is cut in it. */
export const saysCut = {
  onMouseOver: (e: MouseEvent) => {
    const cell = cellOf(e)
    if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent
  },
  // Scrolled on, it may be another row's.
  onMouseOut: (e: MouseEvent) => cellOf(e)?.removeAttribute('title'),
}
