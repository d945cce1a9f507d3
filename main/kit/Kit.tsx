import { App, ConfigProvider, Segmented, Select } from 'antd'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { onFault, queryClient } from '../../console/shell/queries.ts'
import { useThemeSet } from '../../console/theme/themeSet.ts'
import { applyLanguage, language, languages } from '../../console/words/words.ts'
import type { Language } from '../../contract/languages.ts'
import { Cron, Fields } from './fields.tsx'
import { Counts, Days } from './figures.tsx'
import {
  Act,
  Clash,
  Dialog,
  Incomplete,
  NewForm,
  Once,
  Question,
  Refused,
  RightSheet,
  Settings,
  UserForm,
  WideForm,
  WrongSheet,
} from './forms.tsx'
import { Detail, Gone, List, LongList, Tree } from './lists.tsx'
import { Section, type Specimen } from './Specimen.tsx'
import type { Seeds } from './seed.ts'
import { Broken, Denied, Empty, Pages, Slow } from './states.tsx'

const specimens = (seeds: Seeds): Specimen[] => [
  { id: 'list', title: 'List', says: 'ResourceList: search, filters, columns, views, sheets, row actions.', show: () => <List /> },
  {
    id: 'long',
    title: 'Long list',
    says: 'A page of more than 100 rows draws only the rows in view.',
    show: () => <LongList {...seeds} />,
  },
  { id: 'tree', title: 'Tree', says: 'TreeScreen: search, drag, rename in place with F2.', show: () => <Tree /> },
  { id: 'fields', title: 'Fields', says: 'Each field kind: empty, filled, disabled, refused.', show: () => <Fields seeds={seeds} /> },
  { id: 'cron', title: 'Cron', says: 'A text field with the validator cron.', show: () => <Cron /> },
  { id: 'form', title: 'Form', says: 'ResourceForm with up to eight fields.', show: () => <NewForm /> },
  { id: 'wide', title: 'Wide form', says: 'ResourceForm with more fields.', show: () => <UserForm /> },
  { id: 'sections', title: 'Form with sections', says: 'ResourceForm whose fields name sections.', show: () => <WideForm {...seeds} /> },
  { id: 'incomplete', title: 'Form with errors', says: 'The browser refuses what is missing.', show: () => <Incomplete /> },
  { id: 'refused', title: 'Refused form', says: 'The server refuses a code that is taken.', show: () => <Refused /> },
  { id: 'conflict', title: 'Conflict', says: 'Somebody else saved the record first.', show: () => <Clash {...seeds} /> },
  { id: 'settings', title: 'Settings', says: 'SettingsForm: fields and secrets of the tenant, saved in place.', show: () => <Settings /> },
  { id: 'dialog', title: 'Dialog', says: 'FormDialog with a refused value.', show: () => <Dialog /> },
  { id: 'once', title: 'Shown once', says: 'ShownOnce: a secret to copy.', show: () => <Once /> },
  {
    id: 'detail',
    title: 'Detail page',
    says: 'detail(): head, state, acts, sections of fields, a tab for each part.',
    show: () => <Detail {...seeds} />,
  },
  { id: 'gone', title: 'Gone', says: 'The detail page of a record that was removed.', show: () => <Gone /> },
  { id: 'counts', title: 'Counts', says: 'CountRows: rows of a list by the values of a field.', show: () => <Counts /> },
  { id: 'days', title: 'Counts by day', says: 'DayColumns: rows of a list by the days of a moment.', show: () => <Days /> },
  { id: 'confirm', title: 'Confirmation', says: 'useConfirmRemove names what goes.', show: () => <Question {...seeds} /> },
  { id: 'act', title: 'Act', says: 'A row offers the acts of its resource, and asks first.', show: () => <Act /> },
  { id: 'sheet', title: 'Sheet', says: 'ImportDialog shows what a sheet would change.', show: () => <RightSheet /> },
  { id: 'wrong-sheet', title: 'Wrong sheet', says: 'ImportDialog with errors by row and column.', show: () => <WrongSheet /> },
  { id: 'empty', title: 'Empty', says: 'A list without rows.', show: () => <Empty /> },
  { id: 'waiting', title: 'Waiting', says: 'A list whose calls have not answered.', show: () => <Slow /> },
  { id: 'failed', title: 'Failed', says: 'Failure: a call that the server does not know.', show: () => <Broken /> },
  { id: 'denied', title: 'Denied', says: 'Failure: the same call as a role without rights.', show: () => <Denied {...seeds} /> },
  { id: 'pages', title: 'Pages', says: 'What the shell shows instead of a screen.', show: () => <Pages /> },
]

const modes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const widths = [
  { value: 'full', label: 'Desktop' },
  { value: '390', label: '390 px' },
]

/** Mode, language and width are in the address, so that a link shows the same. */
const Bar = () => {
  const [params, setParams] = useSearchParams()
  const set = (name: string) => (value: string) =>
    setParams((old) => new URLSearchParams([...new URLSearchParams(old)].filter(([n]) => n !== name).concat([[name, value]])))
  const speak = async (next: Language) => {
    await applyLanguage(next)
    queryClient.clear()
    set('lang')(next)
  }
  const all = Object.entries(languages).map(([value, label]) => ({ value: value as Language, label }))
  return (
    <header className="kit-bar">
      <h1>Kit</h1>
      <Segmented aria-label="Mode" options={modes} value={params.get('mode') ?? 'light'} onChange={set('mode')} />
      <Select aria-label="Language" options={all} value={language()} onChange={speak} style={{ width: 120 }} />
      <Segmented aria-label="Width" options={widths} value={params.get('width') ?? 'full'} onChange={set('width')} />
    </header>
  )
}

export const Kit = ({ seeds }: { seeds: Seeds }) => {
  const { message } = App.useApp()
  useEffect(() => onFault((text) => message.error(text)), [message])
  const [params] = useSearchParams()
  const mode = params.get('mode') ?? 'light'
  useEffect(() => useThemeSet.getState().change({ Mode: mode }), [mode])
  if (params.get('width') === '390')
    return (
      <>
        <Bar />
        {/* A window of its own: parts ask how wide theirs is. */}
        <iframe className="kit-phone" title="390 px" src={`?bare=1&mode=${mode}&lang=${language()}`} />
      </>
    )
  const all = specimens(seeds)
  return (
    <ConfigProvider>
      {!params.has('bare') && <Bar />}
      <div className="kit">
        <nav className="kit-nav" aria-label="Sections">
          {all.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        {/* In another language every part starts again: errors stay in the language in which they arrived. */}
        <main key={language()}>
          {all.map((specimen) => (
            <Section key={specimen.id} {...specimen} />
          ))}
        </main>
      </div>
    </ConfigProvider>
  )
}
