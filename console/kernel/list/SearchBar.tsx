import { FilterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { usePhone } from '../../theme/useWidth.ts'
import { useWords } from '../../words/words.ts'
import { fieldNamed, type ListState, searchedLength } from './listState.ts'
import { SearchField } from './SearchField.tsx'
import { SearchText } from './SearchText.tsx'
import { searchLimit, useCut } from './useCut.ts'

type Props = {
  of: Resource
  filters: readonly string[]
  state: ListState
  set: (changes: Record<string, string | number | null | undefined>) => void
  children?: ReactNode
}

/** Visible fields on a desktop. The others collapse. */
const standing = 4

/** Search and filters on the left, the list's tools on the right. */
export const SearchBar = ({ of: r, filters, state, set, children }: Props) => {
  const t = useWords()
  const [text, setText] = useState(state.search)
  useEffect(() => setText(state.search), [state.search])
  const cut = useCut(Math.min(searchLimit, searchedLength(r)))
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const always = phone ? 0 : filters.length > standing ? standing - 1 : filters.length
  // An active filter always shows.
  const shown = open ? filters : filters.filter((name, i) => i < always || (!phone && state.filters[name] !== undefined))
  const chosen = filters.filter((f) => state.filters[f] !== undefined && !shown.includes(f)).length
  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  return (
    <search className="search-bar">
      {searchedLength(r) > 0 && (
        <SearchText
          value={text}
          onChange={(e) => {
            setText(cut(e.target.value))
            if (e.target.value === '') set({ q: '' })
          }}
          onPressEnter={() => set({ q: text.trim() })}
          onBlur={() => text.trim() !== state.search && set({ q: text.trim() })}
        />
      )}
      {filters.length > always && (
        <Button icon={<FilterOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'list.fewer' : 'list.filters')}
          {chosen > 0 && ` ${chosen}`}
        </Button>
      )}
      {shown.map((name) => {
        const f = fieldNamed(r, name)
        if (!f) return null
        return (
          <span
            key={name}
            className={f.kind === 'instant' ? 'search-filter search-range' : 'search-filter'}
            data-chosen={state.filters[name]}
          >
            <SearchField
              of={r}
              field={f}
              name={name}
              label={t(r.fields[name] ? `${r.name}.${name}` : `list.${name}`)}
              value={state.filters[name]}
              onChange={(v) => set({ [name]: v })}
            />
          </span>
        )
      })}
      {narrowed && (
        <Button type="link" onClick={() => set({ q: null, ...Object.fromEntries(filters.map((f) => [f, null])) })}>
          {t('list.clear')}
        </Button>
      )}
      <span className="search-actions">{children}</span>
    </search>
  )
}
