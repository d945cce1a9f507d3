import { AlertOutlined, DashboardOutlined, LineChartOutlined, SearchOutlined, ToolOutlined } from '@ant-design/icons'
import { useLocation } from 'react-router'
import type { MenuEntry } from '../session/session.ts'
import { useWords } from '../words/words.ts'
import { pages } from './menus.tsx'
import { openPalette } from './palette/usePalette.ts'
import { To } from './To.tsx'

const places = [
  { word: 'alarms', to: '/alarmManagement/alarmInfo', Icon: AlertOutlined },
  { word: 'live', to: '/projectManagement/realTimeData', Icon: DashboardOutlined },
  { word: 'trends', to: '/dataAnalysis/realTimeData', Icon: LineChartOutlined },
  { word: 'orders', to: '/maintenanceCenter/workOrder', Icon: ToolOutlined },
] as const

/** The phone's bottom bar: up to three permitted screens, and the palette. */
export const BottomBar = ({ menus }: { menus: MenuEntry[] }) => {
  const t = useWords()
  const { pathname } = useLocation()
  const there = new Set(pages(menus).map((m) => m.RoutingAddress))
  return (
    <nav className="bottom-bar" aria-label={t('bar.title')}>
      {places
        .filter(({ to }) => there.has(to))
        .slice(0, 3)
        .map(({ word, to, Icon }) => (
          <To key={word} to={to} aria-current={pathname === to ? 'page' : undefined}>
            <Icon />
            {t(`bar.${word}`)}
          </To>
        ))}
      <button type="button" onClick={() => openPalette()}>
        <SearchOutlined />
        {t('bar.search')}
      </button>
    </nav>
  )
}
