import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { create } from 'zustand'
import type { MenuEntry } from '../session/session.ts'
import { useMayCode, useMustChangePassword, useUser } from '../session/session.ts'
import { useCompanies } from '../session/useTenant.ts'
import { useWords } from '../words/words.ts'
import { helpDelayMs, isFirstLogin, rememberLogin } from './helpHistory.ts'
import { pages } from './menus.tsx'

const useHelp = create<{ open: boolean }>(() => ({ open: false }))
export const openHelp = (open = true) => useHelp.setState({ open })

const steps = [
  { word: 'project', to: '/projectManagement/projectConfig', needs: 'm10101.add' },
  { word: 'visual', to: '/projectManagement/configManagement', needs: 'm10130.add' },
  { word: 'live', to: '/projectManagement/realTimeData' },
] as const

/** The first three steps. The panel has no mask, so people can work beside it, and Escape closes it. */
export const Help = ({ menus }: { menus: MenuEntry[] }) => {
  const t = useWords()
  const user = useUser()
  const { pathname, search } = useLocation()
  const open = useHelp((s) => s.open)
  const mustChange = useMustChangePassword()
  const may = useMayCode()
  const companies = useCompanies()
  const unnamed = user?.IsPlatform === 1 && !companies.length

  useEffect(() => {
    if (!user || mustChange || !isFirstLogin(user.UserNO)) return
    const timer = setTimeout(() => {
      rememberLogin(user.UserNO)
      openHelp()
    }, helpDelayMs)
    return () => clearTimeout(timer)
  }, [user, mustChange])
  useEffect(() => {
    if (/\/projectConfig$/i.test(pathname) && new URLSearchParams(search).get('help') === '1') openHelp()
  }, [pathname, search])
  useEffect(() => {
    if (!open) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && openHelp(false)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])

  if (!open) return null
  const there = new Set(pages(menus).map((m) => m.RoutingAddress.toLowerCase()))
  const offered = steps.filter(({ to, ...step }) => there.has(to.toLowerCase()) && (!('needs' in step) || may(step.needs)))
  return (
    <section className="help" role="dialog" aria-label={t('help.title')}>
      <div className="panel-head">
        <h2>{t('help.title')}</h2>
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('close')} onClick={() => openHelp(false)} />
      </div>
      {unnamed && <Link to="/systemManagement/enterpriseManage">{t('tenant.nameFirst')}</Link>}
      <ol className="help-steps">
        {offered.map(({ word, to }) => (
          <li key={word}>
            <Link to={to}>{t(`help.step.${word}`)}</Link>
            <br />
            <span className="soft">{t(`help.why.${word}`)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
