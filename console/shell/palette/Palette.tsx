import { Modal } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type MenuEntry, useUser } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { matching, recent, remember } from './recent.ts'
import { type Choice, useActions } from './useActions.ts'
import { useFound } from './useFound.ts'
import { openPalette, usePalette } from './usePalette.ts'

/** Command palette: recent choices, screens, records and actions, by name, synonym or number. */
const Palette = ({ menus }: { menus: MenuEntry[] }) => {
  const t = useWords()
  const user = useUser()
  const navigate = useNavigate()
  const open = usePalette((s) => s.open)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  /** Set on navigation: the new screen takes the focus, so the dialog must not restore it. */
  const [isLeaving, setLeaving] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const { paths, screens, rows } = useFound(menus, typed)
  const actions = useActions(paths)
  // Look names and permissions up again, because the language or role may have changed.
  const last: Choice[] = typed.trim()
    ? []
    : recent(user?.Id ?? 0)
        .filter((e) => paths.has(e.to.split('?')[0]!))
        .map((e) => ({ ...(screens.find(({ to }) => to === e.to) ?? e), kind: 'recent' }))
  const others = screens.filter((e) => !last.some((l) => l.to === e.to))
  const choices: Choice[] = [...last, ...others, ...matching(actions, typed), ...rows]
  const chosen = Math.min(at, choices.length - 1)

  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    openPalette(false)
    if (choice.act) return choice.act()
    if (user) remember(user.Id, { to: choice.to, title: choice.title, kind: choice.kind, ...(choice.hint ? { hint: choice.hint } : {}) })
    setLeaving(true)
    navigate(choice.to)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((chosen + step + choices.length) % Math.max(1, choices.length))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(choices[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      open={open}
      onCancel={() => openPalette(false)}
      afterOpenChange={(isOpen) => isOpen && setLeaving(false)}
      focusable={{ focusTriggerAfterClose: !isLeaving }}
      footer={null}
      closable={false}
      width={560}
      className="palette"
      destroyOnHidden
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
        aria-label={t('palette.title')}
        placeholder={t('palette.hint')}
        maxLength={40}
        value={typed}
        ref={(element) => element?.focus()}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div id="palette-list" role="listbox" aria-label={t('palette.title')} ref={list}>
        {choices.map((choice, i) => (
          <div
            key={`${choice.kind} ${choice.to}`}
            id={`palette-${i}`}
            data-at={i}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
            onKeyDown={onKey}
          >
            <span className="palette-title">{choice.title}</span>
            <span className="soft">{choice.hint}</span>
            <span className="palette-kind soft">{t(`palette.${choice.kind}`)}</span>
          </div>
        ))}
      </div>
      <span className="sr-only" role="status">
        {typed.trim() && t('palette.found', { count: choices.length })}
      </span>
      {!choices.length && <p className="soft">{t('list.nothingFound')}</p>}
    </Modal>
  )
}
export default Palette
