import { CloseOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { MenuEntry } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { menuTitle, wayTo } from '../menus.tsx'
import { To, useGo } from '../To.tsx'
import { closing, moveTab, only, type Tab, tabKey, useTabs, without } from './tabs.ts'

const actions = ['refresh', 'close', 'closeOthers', 'closeAll'] as const
type Action = (typeof actions)[number]

const useTabActions = () => {
  const { pathname, search } = useLocation()
  const go = useGo()
  const here = tabKey(pathname, search)
  return (action: Action, tab: Tab) => {
    if (action === 'refresh') return go(`/redirect${tab.to}`)
    const next = closing(
      action === 'close' ? (tabs) => without(tabs, tab.key) : (tabs) => only(tabs, action === 'closeOthers' ? tab.key : undefined),
      here,
    )
    // Closing the other tabs opens the remaining one.
    if (action === 'closeOthers' && here !== tab.key) go(tab.to)
    else if (next !== undefined) go(next)
  }
}

const useTitle = (menus: MenuEntry[]) => {
  const t = useWords()
  return (tab: Tab) => {
    const entry = wayTo(menus, tab.to.split('?')[0]!).at(-1)
    return tab.name ?? (entry ? menuTitle(entry, t) : tab.key === '/profile/index' ? t('profile.title') : t('tabs.screen'))
  }
}

const useActionItems = () => {
  const t = useWords()
  return (tab: Tab): MenuProps['items'] =>
    actions.map((key) => ({ key, label: t(`tabs.${key}`), disabled: key === 'close' && tab.affixed === true }))
}

/** The tabs of a narrow window: a button with a menu. */
export const TabSwitcher = ({ menus, label }: { menus: MenuEntry[]; label?: string }) => {
  const t = useWords()
  const tabs = useTabs((s) => s.tabs)
  const { pathname, search } = useLocation()
  const go = useGo()
  const title = useTitle(menus)
  const act = useTabActions()
  const here = tabs.find((tab) => tab.key === tabKey(pathname, search))
  const items: MenuProps['items'] = [
    ...tabs.map((tab) => ({ key: tab.key, label: title(tab) })),
    { type: 'divider' },
    ...(here ? (['refresh', 'close', 'closeOthers'] as const) : []).map((key) => ({
      key: `act:${key}`,
      label: t(`tabs.${key}`),
      disabled: key === 'close' && here?.affixed === true,
    })),
    { key: 'act:closeAll', label: t('tabs.closeAll') },
  ]
  const choose: MenuProps['onClick'] = ({ key }) => {
    if (key.startsWith('act:')) return act(key.slice(4) as Action, here ?? tabs[0]!)
    const tab = tabs.find((found) => found.key === key)
    if (tab) go(tab.to)
  }
  return (
    <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: choose, selectedKeys: here ? [here.key] : [], className: 'tab-list' }}>
      <Button
        type="text"
        size="small"
        className="tab-switch"
        aria-label={`${t('tabs.all')}: ${tabs.length}`}
        icon={<DownOutlined />}
        iconPlacement="end"
      >
        {label ?? tabs.length}
      </Button>
    </Dropdown>
  )
}

/** The open tabs. Arrow keys move the focus, Delete closes, dragging reorders; the context menu has the other actions. */
export const TabStrip = ({ menus }: { menus: MenuEntry[] }) => {
  const t = useWords()
  const tabs = useTabs((s) => s.tabs)
  const { pathname, search } = useLocation()
  const here = tabKey(pathname, search)
  const strip = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string>()
  /** Tab of the open context menu. */
  const [asked, ask] = useState<Tab>()
  const title = useTitle(menus)
  const items = useActionItems()
  const act = useTabActions()

  useEffect(() => {
    if (!tabs.some((tab) => tab.key === here)) return
    // In the next frame, which needs a layout anyway: scrolling now would force another one.
    const frame = requestAnimationFrame(() => {
      const [list, tab] = [strip.current, strip.current?.querySelector<HTMLElement>('.tab-here')]
      if (!list || !tab) return
      // Not scrollIntoView: in Chromium it would move the starting point of Tab.
      const left = tab.offsetLeft - list.offsetLeft
      list.scrollLeft = Math.max(left + tab.offsetWidth - list.clientWidth, Math.min(list.scrollLeft, left))
    })
    return () => cancelAnimationFrame(frame)
  }, [here, tabs])

  const onKey = (tab: Tab, at: number) => (event: KeyboardEvent) => {
    const links = [...(strip.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step && event.ctrlKey && event.shiftKey) moveTab(tab.key, at + step)
    else if (step) links[(at + step + links.length) % links.length]?.focus()
    else if (event.key === 'Home') links[0]?.focus()
    else if (event.key === 'End') links.at(-1)?.focus()
    else if (event.key === 'Delete' && !tab.affixed) {
      links[at - 1]?.focus()
      act('close', tab)
    } else return
    event.preventDefault()
  }
  const onMiddle = (tab: Tab) => (event: MouseEvent) => {
    if (event.button !== 1) return
    event.preventDefault()
    act('close', tab)
  }
  return (
    <nav className="tabs" aria-label={t('tabs.all')}>
      <Dropdown
        trigger={['contextMenu']}
        autoFocus
        menu={{ items: (asked && items(asked)) ?? [], onClick: ({ key }) => asked && act(key as Action, asked) }}
      >
        <ul ref={strip}>
          {tabs.map((tab, at) => (
            <li
              key={tab.key}
              onContextMenu={() => ask(tab)}
              className={`tab ${tab.key === here ? 'tab-here' : ''}`}
              draggable={!tab.affixed}
              onDragStart={() => setDragged(tab.key)}
              onDragOver={(event) => dragged && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged) moveTab(dragged, at)
                setDragged(undefined)
              }}
              onDragEnd={() => setDragged(undefined)}
              onAuxClick={onMiddle(tab)}
            >
              <To to={tab.to} draggable={false} aria-current={tab.key === here ? 'page' : undefined} onKeyDown={onKey(tab, at)}>
                {title(tab)}
              </To>
              {!tab.affixed && (
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={t('tabs.closeOne', { title: title(tab) })}
                  onClick={() => act('close', tab)}
                >
                  <CloseOutlined />
                </button>
              )}
            </li>
          ))}
        </ul>
      </Dropdown>
      <TabSwitcher menus={menus} />
    </nav>
  )
}
