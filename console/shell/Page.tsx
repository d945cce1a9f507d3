import type { ReactNode } from 'react'
import { focus } from '../keys/useFocus.ts'
import { useWords } from '../words/words.ts'

/** The next Tab after the heading leads past filters and tools to the first row; styles hide it where no list is. */
const ToList = () => (
  <button
    type="button"
    className="skip skip-list"
    onClick={({ currentTarget }) => {
      const row = currentTarget.closest('.page')?.querySelector<HTMLElement>('.row-list :is(.ant-table-row, .card)')
      if (row) focus(row, true)
    }}
  >
    {useWords()('shell.skipToList')}
  </button>
)

/** The frame of a screen: title, actions and content. */
export const Page = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <article className="page">
    <div className="page-head">
      <h1>{title}</h1>
      <ToList />
      {actions && <div className="page-actions">{actions}</div>}
    </div>
    {children}
  </article>
)
