import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { rowHeights } from '../../../contract/preferences.ts'
import type { Resource } from '../../../contract/resource.ts'
import { useSeesField } from '../../session/session.ts'
import { arrange, isVirtual, shown, virtualWidth } from './arrange.ts'
import { useListState, viewChanges, viewQuery } from './listState.ts'
import { usePreference } from './usePreference.ts'
import { useSoleProject } from './useSoleProject.ts'

/** `variant` separates lists with other columns at the same address. */
type Place = {
  columns: readonly string[]
  filters: readonly string[]
  fixed: Record<string, string | number>
  prefix: string
  variant?: string
}
export type Arrangement = ReturnType<typeof useArrangement>

/** The person's arrangement of a list: state in the address, columns, row height, views, and the table's props. */
export const useArrangement = (r: Resource, { columns, filters, fixed, prefix, variant }: Place) => {
  const [state, set] = useListState(filters, prefix)
  const [params] = useSearchParams()
  const { preference, loading: preferring, change } = usePreference(`${r.permission}.${prefix}${r.name}${variant ? `.${variant}` : ''}`)
  const { sole, loading: counting } = useSoleProject(r)
  const loading = preferring || counting
  const view = viewQuery(params, filters, prefix)
  const show = useCallback((query: string) => set(viewChanges(query, filters)), [set, filters])

  // An address without list state opens the default view, once. The rows load after the address has the view.
  const [opened, setOpened] = useState(false)
  const query = preference.Views.find((v) => v.IsDefault)?.Query ?? ''
  // A filter that the list no longer has never enters the address.
  const standard = viewQuery(new URLSearchParams(query), filters)
  const waits = loading || (!opened && view === '' && standard !== '')
  useEffect(() => {
    if (loading || opened) return
    if (waits) show(standard)
    else setOpened(true)
  }, [loading, opened, waits, show, standard])

  const sees = useSeesField()
  const own = useMemo(() => columns.filter((name) => !(sole && name === 'ProjectId') && sees(r.fields[name])), [r, sole, columns, sees])
  const all = useMemo(() => arrange(r, own, preference.Columns), [r, own, preference.Columns])
  const visible = useMemo(() => shown(all), [all])
  // Memoised, so that the list renders only after a change.
  return useMemo(() => {
    const virtual = isVirtual(state.size)
    const width = visible.reduce((sum, c) => sum + (c.Width ?? virtualWidth), 0)
    return {
      state,
      set,
      fixed,
      loading,
      /** True until the query of the rows is final. */
      waits,
      preference,
      change,
      all,
      columns: visible,
      /** Filters that could narrow the list, or do. */
      filters: filters.filter((name) => !sole || name !== 'ProjectId' || state.filters[name] !== undefined),
      view,
      show,
      virtual,
      /** Props of the table. Long pages are virtual, which needs numeric widths. */
      table: {
        className: `rows ${preference.RowHeight === rowHeights.standard ? '' : 'rows-own'} ${virtual ? 'rows-long' : ''}`,
        style: { '--row': `${preference.RowHeight}px` } as React.CSSProperties,
        // The tooltip repeats the arrows and covers the content above.
        showSorterTooltip: false,
        // The checkboxes take 40 px and the actions 48.
        scroll: { x: virtual ? width + 88 : ('max-content' as const) },
      },
    }
  }, [state, set, fixed, loading, waits, preference, change, all, visible, filters, sole, view, show])
}
