import { MoreOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { isValidElement, memo, type ReactNode, useState } from 'react'
import { useGo } from '../shell/To.tsx'
import { useWords } from '../words/words.ts'

export type Action = {
  key: string
  label: string
  icon?: ReactNode
  /** An address or a function. */
  to?: string
  run?: () => void
  danger?: boolean
  disabled?: boolean
  /** Why it is disabled, for its tooltip. */
  why?: string
}

const typeOf = (icon: ReactNode) => (isValidElement(icon) ? icon.type : icon)
/** Renders the icon again only when another one replaces it. */
const Icon = memo(
  ({ icon }: { icon: ReactNode }) => icon,
  (was, now) => typeOf(was.icon) === typeOf(now.icon),
)
const moreIcon = <MoreOutlined />

/**
 * Actions of a row: a menu with all of them, and at most two icons, which tables show on hover or focus. One alone needs no menu.
 * A page has up to ten thousand of these, so they are plain buttons, and the menu renders when it opens.
 */
export const RowActions = ({ of, actions, title, icons = 2 }: { of?: number; actions: Action[]; title: string; icons?: number }) => {
  const t = useWords()
  const go = useGo()
  const [menu, setMenu] = useState<{ of: number | undefined; open: boolean }>()
  /** Row of the menu, undefined before the first use. It may be another row: scrolling reuses the buttons. */
  const open = menu && menu.of === of ? menu.open : undefined
  const setOpen = (open: boolean) => setMenu({ of, open })
  const act = ({ to, run }: Action) => (to ? go(to) : run?.())
  const out = actions.filter((a) => a.icon && !a.danger).slice(0, icons)
  const rest = out.length === actions.length && out.length === 1 ? [] : actions
  const more = (
    <button
      type="button"
      className="row-action"
      aria-haspopup="menu"
      aria-expanded={open ?? false}
      aria-label={t('list.more', { title })}
      onClick={() => setOpen(true)}
    >
      {moreIcon}
    </button>
  )
  return (
    <span className="row-actions">
      <span className={rest.length ? 'row-quick' : ''}>
        {out.map((a) => (
          <button
            key={a.key}
            type="button"
            data-key={a.key}
            className="row-action"
            title={a.disabled && a.why ? `${a.label}: ${a.why}` : a.label}
            disabled={a.disabled}
            aria-label={`${a.label}: ${title}`}
            onClick={() => act(a)}
          >
            <Icon icon={a.icon} />
          </button>
        ))}
      </span>
      {rest.length > 0 &&
        (open === undefined ? (
          more
        ) : (
          <Dropdown
            open={open}
            autoFocus
            trigger={['click']}
            onOpenChange={setOpen}
            menu={{
              items: rest.map(({ key, label, icon, danger, disabled, why }) => ({
                key,
                label,
                icon,
                danger,
                disabled,
                title: (disabled && why) || label,
              })),
              onClick: ({ key }) => {
                setOpen(false)
                act(rest.find((a) => a.key === key)!)
              },
            }}
          >
            {more}
          </Dropdown>
        ))}
    </span>
  )
}
