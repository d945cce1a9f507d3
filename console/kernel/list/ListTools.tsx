import { usePhone } from '../../theme/useWidth.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { SavedViews } from './SavedViews.tsx'
import { SheetMenu, type SheetProps } from './SheetMenu.tsx'
import type { Arrangement } from './useArrangement.ts'

/** Tools of a list: views, export and import, columns. */
export const ListTools = (props: SheetProps & { arrangement: Arrangement }) => {
  const phone = usePhone()
  const { of: r, arrangement } = props
  const { preference, change, all, view, show } = arrangement
  return (
    <>
      <SavedViews views={preference.Views} current={view} show={show} change={(Views) => change({ Views })} />
      <SheetMenu {...props} />
      {!phone && <ColumnChooser of={r} all={all} rowHeight={preference.RowHeight} change={change} />}
    </>
  )
}
