import {
  GlobalOutlined,
  KeyOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Breadcrumb, Button, Dropdown, Tooltip } from 'antd'
import { Link, useNavigate } from 'react-router'
import type { Language } from '../../contract/index.ts'
import { logout, type MenuEntry, useUser } from '../session/session.ts'
import { useMode } from '../theme/mode.ts'
import { usePhone } from '../theme/useWidth.ts'
import { language, languages, setLanguage, useWords } from '../words/words.ts'
import { NoticeBell } from '../areas/notices/NoticeBell.tsx'
import { AlarmBadge } from './AlarmBadge.tsx'
import { LiveMark } from './LiveMark.tsx'
import { landing, menuTitle } from './menus.tsx'

const languageItems = Object.entries(languages).map(([key, label]) => ({ key, label }))

export const LanguageSwitch = ({ onChange }: { onChange?: () => void }) => {
  const t = useWords()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: languageItems,
        selectedKeys: [language()],
        onClick: ({ key }) => void setLanguage(key as Language).then(onChange),
      }}
    >
      <Button type="text" icon={<GlobalOutlined />} aria-label={t('shell.language')} />
    </Dropdown>
  )
}

export const ModeSwitch = () => {
  const t = useWords()
  const { mode, set } = useMode()
  const label = t(mode === 'dark' ? 'shell.light' : 'shell.dark')
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        icon={mode === 'dark' ? <SunOutlined /> : <MoonOutlined />}
        aria-label={label}
        onClick={() => set(mode === 'dark' ? 'light' : 'dark')}
      />
    </Tooltip>
  )
}

const UserMenu = () => {
  const t = useWords()
  const user = useUser()
  const phone = usePhone()
  const navigate = useNavigate()
  const client = useQueryClient()
  const leave = async () => {
    await logout()
    client.clear()
    navigate('/login', { replace: true })
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'who', type: 'group', label: `${user?.UserName ?? ''} · ${user?.EnterpriseName ?? ''}` },
          { key: 'password', icon: <KeyOutlined />, label: t('menu.m10401') },
          { type: 'divider' },
          { key: 'logout', icon: <LogoutOutlined />, label: t('session.logout') },
        ],
        onClick: ({ key }) => (key === 'logout' ? leave() : navigate('/systemManagement/personal/password')),
      }}
    >
      <Button type="text" icon={<UserOutlined />} aria-label={`${t('shell.user')}: ${user?.UserName ?? ''}`}>
        {phone ? null : user?.UserName}
      </Button>
    </Dropdown>
  )
}

/** Where one is on the left; state of the line, alarms and what belongs to the person on the right. */
export const TopBar = ({ way, toggle, open }: { way: MenuEntry[]; toggle: () => void; open: boolean }) => {
  const t = useWords()
  const client = useQueryClient()
  const crumbs = way.map((m, at) => {
    const to = at < way.length - 1 ? landing(m) : undefined
    return { key: m.MenuEncoding, title: to ? <Link to={to}>{menuTitle(m, t)}</Link> : menuTitle(m, t) }
  })
  return (
    <header className="top">
      <Button
        type="text"
        icon={open ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
        aria-label={t('shell.sidebar')}
        aria-expanded={open}
        onClick={toggle}
      />
      <Breadcrumb className="crumbs" items={crumbs} />
      <span className="top-right">
        <LiveMark />
        <AlarmBadge />
        <NoticeBell />
        <LanguageSwitch onChange={() => void client.invalidateQueries()} />
        <ModeSwitch />
        <UserMenu />
      </span>
    </header>
  )
}
