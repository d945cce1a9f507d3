import { App } from 'antd'
import { useCallback, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { focus } from './useFocus.ts'

/** An additional key of one list, which acts on the focused row. */
export type ListKeys<T> = Record<string, { label: string; run: (row: T) => void }>

const rowOf = (element: Element) => element.closest<HTMLElement>('.ant-table-row, .card')
/** Opens a row: its link, otherwise the form, otherwise the menu. */
const opener = (row: HTMLElement) =>
  ['td:not(.line-tools) :is(a, button)', '[data-key="edit"]', '.row-action[aria-haspopup]', '.row-action']
    .map((selector) => row.querySelector<HTMLElement>(selector))
    .find((found) => found !== null)
const isTyping = (target: Element) => target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="combobox"]')

/**
 * Keys of a list: j and k move, Enter opens, / searches, ? shows the keys. They work only while the focus is in the list,
 * so that they interfere with neither typing nor speech input (WCAG 2.1.4).
 */
export const useListKeys = <T extends { Id: number }>(rows: readonly T[], keys: ListKeys<T> = {}) => {
  const t = useWords()
  const { modal } = App.useApp()
  const list = useRef<HTMLDivElement>(undefined)
  const show = () =>
    modal.info({
      title: t('keys.title'),
      okText: t('close'),
      content: (
        <dl className="keys">
          {['j', 'k', 'Enter', ...Object.keys(keys), '/', '?'].map((key) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{keys[key]?.label ?? t(`keys.${key}`)}</dd>
            </div>
          ))}
        </dl>
      ),
    })
  const act = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const row = rowOf(target)
    const all = [...list.current!.querySelectorAll<HTMLElement>('.ant-table-row, .card')]
    const step = { j: 1, k: -1 }[event.key]
    const own = row && rows.find(({ Id }) => String(Id) === row.dataset.rowKey)
    if (step) {
      const next = all[row ? all.indexOf(row) + step : 0]
      if (next) focus(next, true)
    } else if (event.key === 'Enter' && target === row) opener(row)?.click()
    else if (event.key === '/') list.current!.closest('section, .page')?.querySelector<HTMLElement>('.search-text input')?.focus()
    else if (event.key === '?') show()
    else if (own && keys[event.key]) keys[event.key]!.run(own)
    else return
    event.preventDefault()
  }
  const latest = useRef(act)
  latest.current = act
  return useCallback((element: HTMLDivElement) => {
    list.current = element
    const onKey = (event: KeyboardEvent) => {
      const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event
      if (!(ctrlKey || metaKey || altKey || defaultPrevented) && target instanceof HTMLElement && !isTyping(target)) latest.current(event)
    }
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [])
}
