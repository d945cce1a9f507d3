import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { rowHeights } from '../../../contract/preferences.ts'
import type { Resource } from '../../../contract/resource.ts'
import { arrange, isVirtual, shown, virtualWidth } from './arrange.ts'
import { useListState, viewChanges, viewQuery } from './listState.ts'
import { usePreference } from './usePreference.ts'

/** `variant` tells lists apart that differ in their columns but share an address. */
type Place = {
  columns: readonly string[]
  filters: readonly string[]
  fixed: Record<string, string | number>
  prefix: string
  variant?: string
}
export type Arrangement = ReturnType<typeof useArrangement>

/** A list as its person arranged it: state in the address, columns, row height, views, and what the table needs of them. */
export const useArrangement = (r: Resource, { columns, filters, fixed, prefix, variant }: Place) => {
  const [state, set] = useListState(filters, prefix)
  const [params] = useSearchParams()
  const { preference, loading, change } = usePreference(`${r.permission}.${prefix}${r.name}${variant ? `.${variant}` : ''}`)
  const view = viewQuery(params, filters, prefix)
  const show = useCallback((query: string) => set(viewChanges(query, filters)), [set, filters])

  // A list that is opened without saying anything shows the default view, once: when the address says it, and not before, rows are asked for.
  const [opened, setOpened] = useState(false)
  const query = preference.Views.find((v) => v.IsDefault)?.Query ?? ''
  // A filter that the list no longer has would never stand in the address.
  const standard = viewQuery(new URLSearchParams(query), filters)
  const waits = loading || (!opened && view === '' && standard !== '')
  useEffect(() => {
    if (loading || opened) return
    if (waits) show(standard)
    else setOpened(true)
  }, [loading, opened, waits, show, standard])

  const all = useMemo(() => arrange(r, columns, preference.Columns), [r, columns, preference.Columns])
  const visible = useMemo(() => shown(all), [all])
  // The same object while nothing of it has changed: what is drawn from it is drawn once.
  return useMemo(() => {
    const virtual = isVirtual(state.size)
    const width = visible.reduce((sum, c) => sum + (c.Width ?? virtualWidth), 0)
    return {
      state,
      set,
      fixed,
      loading,
      /** True until it is known what to ask for. */
      waits,
      preference,
      change,
      all,
      columns: visible,
      view,
      show,
      virtual,
      /** For the table: long pages draw only the rows in sight, which needs widths in numbers. */
      table: {
        className: `rows ${preference.RowHeight === rowHeights.standard ? '' : 'rows-own'} ${virtual ? 'rows-long' : ''}`,
        style: { '--row': `${preference.RowHeight}px` } as React.CSSProperties,
        // Says nothing that the arrows do not, and covers what is above.
        showSorterTooltip: false,
        scroll: { x: virtual ? width + 160 : ('max-content' as const) },
      },
    }
  }, [state, set, fixed, loading, waits, preference, change, all, visible, view, show])
}
