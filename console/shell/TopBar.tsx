import {
  BgColorsOutlined,
  CheckOutlined,
  GlobalOutlined,
  IdcardOutlined,
  KeyOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  QuestionCircleOutlined,
  SafetyOutlined,
  SearchOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Breadcrumb, Button, Dropdown, type MenuProps, Tooltip } from 'antd'
import { memo, useState } from 'react'
import type { Language } from '../../contract/languages.ts'
import { actAs, chooseLanguage, type MenuEntry, useMustChangePassword, useUser } from '../session/session.ts'
import { usePhone } from '../theme/useWidth.ts'
import { language, languages, useWords } from '../words/words.ts'
import { openHelp } from './Help.tsx'
import { LiveMark } from './LiveMark.tsx'
import { lazyScreen } from './lazyScreen.tsx'
import { landing, menuTitle } from './menus.tsx'
import { openPalette } from './palette/usePalette.ts'
import { accountPath, passwordPath, questionPath } from './places.ts'
import { report } from './queries.ts'
import { To, useGo } from './To.tsx'
import { TabSwitcher } from './tabs/TabStrip.tsx'
import { topBarParts } from './topBarParts.ts'
import { useSignOut } from './useSignOut.ts'

const languageItems = Object.entries(languages).map(([key, label]) => ({ key, label }))

const choose = (next: string) => void chooseLanguage(next as Language).catch((error: Error) => report(error.message))

export const LanguageSwitch = () => {
  const t = useWords()
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      menu={{
        items: languageItems,
        selectedKeys: [language()],
        onClick: ({ key }) => choose(key),
      }}
    >
      <Button type="text" icon={<GlobalOutlined />} aria-label={t('shell.language')} />
    </Dropdown>
  )
}

const ThemeDrawer = lazyScreen(async () => ({ default: (await import('../theme/ThemeDrawer.tsx')).ThemeDrawer }), null)

const ThemeButton = () => {
  const t = useWords()
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const show = () => {
    setAsked(true)
    setOpen(true)
  }
  return (
    <>
      <Tooltip title={t('shell.theme')}>
        <Button type="text" icon={<BgColorsOutlined />} aria-label={t('shell.theme')} onClick={show} />
      </Tooltip>
      {asked && <ThemeDrawer open={open} close={() => setOpen(false)} />}
    </>
  )
}

/** Lets a person with several roles choose the active one (ruling 34b). */
const useRoleItems = (): MenuProps['items'] => {
  const t = useWords()
  const user = useUser()
  if (!user || user.RoleChoices.length < 2) return []
  const chosen = user.ActingRoleId ?? 0
  const items = [{ Id: 0, RoleName: t('shell.allRoles') }, ...user.RoleChoices].map(({ Id, RoleName }) => ({
    key: `role:${Id}`,
    label: RoleName,
    icon: Id === chosen ? <CheckOutlined /> : <span className="no-icon" />,
  }))
  return [{ key: 'roles', icon: <TeamOutlined />, label: t('shell.actAs'), children: items }]
}

const UserMenu = () => {
  const t = useWords()
  const user = useUser()
  const phone = usePhone()
  const go = useGo()
  const client = useQueryClient()
  const leave = useSignOut()
  const roles = useRoleItems()
  const mustChange = useMustChangePassword()
  const act = async (role: number) => {
    await actAs(role || null)
    client.clear()
    go('/', { replace: true })
  }
  const onClick: MenuProps['onClick'] = ({ key }) => {
    if (key.startsWith('/')) go(key)
    else if (key.startsWith('speak:')) choose(key.slice(6))
    else if (key.startsWith('role:')) act(Number(key.slice(5))).catch((error: Error) => report(error.message))
    else if (key === 'logout') void leave()
    else if (key === 'help') openHelp()
    else openPalette()
  }
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      menu={{
        items: [
          { key: 'who', type: 'group', label: `${user?.UserName ?? ''} · ${user?.EnterpriseName ?? ''}` },
          ...(mustChange ? [] : [{ key: accountPath, icon: <IdcardOutlined />, label: t('profile.title') }]),
          { key: passwordPath, icon: <KeyOutlined />, label: t('menu.m10401') },
          ...(mustChange ? [] : [{ key: questionPath, icon: <SafetyOutlined />, label: t('menu.m10407') }, ...(roles ?? [])]),
          // A phone's top bar has no room for these.
          ...(phone
            ? [
                {
                  key: 'language',
                  icon: <GlobalOutlined />,
                  label: t('shell.language'),
                  children: languageItems.map(({ key, label }) => ({ key: `speak:${key}`, label })),
                },
                { key: 'palette', icon: <SearchOutlined />, label: t('palette.title') },
                { key: 'help', icon: <QuestionCircleOutlined />, label: t('help.title') },
              ]
            : []),
          { type: 'divider' },
          { key: 'logout', icon: <LogoutOutlined />, label: t('session.logout') },
        ],
        onClick,
      }}
    >
      <Button type="text" icon={<UserOutlined />} aria-label={`${t('shell.user')}: ${user?.UserName ?? ''}`}>
        {phone ? null : user?.UserName}
      </Button>
    </Dropdown>
  )
}

type Props = {
  way: MenuEntry[]
  /** Title of a screen without a menu. */
  title: string
  menus: MenuEntry[]
  /** Shows the tabs as a menu behind a button, in a narrow window. */
  switcher: boolean
  toggle: () => void
  open: boolean
}

/** The right side of the top bar. It does not depend on the screen, so navigation does not render it. */
const Right = memo(({ menus, switcher }: Pick<Props, 'menus' | 'switcher'>) => {
  const t = useWords()
  const phone = usePhone()
  const mustChange = useMustChangePassword()
  const { AlarmBadge, NoticeBell } = topBarParts
  return (
    <span className="top-right">
      {switcher && <TabSwitcher menus={menus} />}
      {!mustChange && <LiveMark />}
      {AlarmBadge && <AlarmBadge />}
      {!phone && (
        <Tooltip title={`${t('palette.title')} (Ctrl K)`}>
          <Button type="text" icon={<SearchOutlined />} aria-label={t('palette.title')} onClick={() => openPalette()} />
        </Tooltip>
      )}
      {!phone && (
        <Tooltip title={t('help.title')}>
          <Button type="text" icon={<QuestionCircleOutlined />} aria-label={t('help.title')} onClick={() => openHelp()} />
        </Tooltip>
      )}
      {NoticeBell && !mustChange && <NoticeBell />}
      {!phone && <LanguageSwitch />}
      {!mustChange && <ThemeButton />}
      <UserMenu />
    </span>
  )
})

/** Breadcrumb on the left; connection, alarms and account on the right. */
export const TopBar = ({ way, title, menus, switcher, toggle, open }: Props) => {
  const t = useWords()
  const crumbs = way.map((m, at) => {
    const to = at < way.length - 1 ? landing(m) : undefined
    return { key: m.MenuEncoding, title: to ? <To to={to}>{menuTitle(m, t)}</To> : menuTitle(m, t) }
  })
  if (!crumbs.length && title) crumbs.push({ key: 'here', title })
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
      <Right menus={menus} switcher={switcher} />
    </header>
  )
}
