import { FullscreenOutlined, SettingOutlined } from '@ant-design/icons'
import { App, Button, Checkbox, Drawer, Form, Select } from 'antd'
import { type CSSProperties, useId, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../console/live/clock.ts'
import { LiveAge, LiveValue } from '../../../../console/live/LiveCells.tsx'
import { useConnection } from '../../../../console/live/useHub.ts'
import { useWakeLock } from '../../../../console/live/useWakeLock.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { levelCondition, Shape, State } from '../../../../console/theme/State.tsx'
import { useThemeSet } from '../../../../console/theme/themeSet.ts'
import { coloursOf } from '../../../../console/theme/tokens.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { PointChoice } from '../../telemetry/console/PointChoice.tsx'
import './screenMonitor.css'

/** Projects on one wall, and points of all of them. More would not be readable from five metres. */
const [mostProjects, mostPoints] = [12, 24]
const everyMinute = 60_000
const idsIn = (text: string | null, most: number) => (text ?? '').split(',', most).map(Number).filter(Boolean)

type Alarms = { Count: number; Level: number } | undefined
type TileProps = { id: number; name: string; alarms: Alarms; chosen: readonly number[] }
/** A project: whether its gateways are online, its open alarms, and its chosen points. */
const Tile = ({ id, name, alarms, chosen }: TileProps) => {
  const t = useWords()
  const total = useRows(gateway, { PageIndex: 1, PageSize: 1, ProjectId: id }).data?.TotalCount ?? 0
  const online = useRows(gateway, { PageIndex: 1, PageSize: 1, ProjectId: id, OnlineStatus: 1 }).data?.TotalCount ?? 0
  const { data: points = [] } = useCall(telemetryCalls.allParaInfo, {
    query: { ProjectId: id, ParaIds: chosen.join() },
    of: ['point', 'device'],
    enabled: chosen.length > 0,
  })
  const connected = online < total ? 'offline' : 'normal'
  const is = alarms ? levelCondition(alarms.Level) : connected
  return (
    <section className={`wall-tile wall-${is}`} aria-label={name}>
      <h2>
        <Shape is={is} /> {name}
      </h2>
      <p className="wall-facts">
        <State is={connected}>{t('wall.online', { online, total })}</State>
        <State is={alarms ? levelCondition(alarms.Level) : 'normal'}>
          {t(alarms ? 'wall.alarms' : 'wall.noAlarms', { count: alarms?.Count ?? 0 })}
        </State>
      </p>
      <dl className="wall-points">
        {chosen
          .flatMap((one) => points.find(({ ParaId }) => ParaId === one) ?? [])
          .map((point) => (
            <div key={point.ParaId}>
              <dt>
                {point.DeviceName} · {point.ParaName}
              </dt>
              <dd>
                <LiveValue point={point} />
                <small>
                  <LiveAge point={point} />
                </small>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

type Choice = { projects: number[]; points: number[]; light: boolean }
type Option = { value: number; label: string }
type ChooserProps = { label: string; most: number; ids: number[]; options: Option[]; placeholder?: string; change: (ids: number[]) => void }
const Chooser = ({ label, most, ids, options, placeholder, change }: ChooserProps) => {
  const id = useId()
  return (
    <Form.Item label={label} htmlFor={id}>
      <Select
        id={id}
        mode="multiple"
        maxCount={most}
        showSearch={{ optionFilterProp: 'label' }}
        value={ids}
        options={options}
        placeholder={placeholder}
        onChange={change}
      />
    </Form.Item>
  )
}

type SettingsProps = {
  choice: Choice
  projects: Option[]
  change: (some: Partial<Choice>) => void
  close: () => void
}
/** What the wall shows. The address holds it, so that a bookmark opens the same wall. */
const Settings = ({ choice, projects, change, close }: SettingsProps) => {
  const t = useWords()
  const { data } = useCall(telemetryCalls.allParaInfo, {
    ...{ query: { ParaIds: choice.points.join() }, of: ['point', 'device'], enabled: choice.points.length > 0 },
  })
  const known = new Map(data?.map((p) => [p.ParaId, p]))
  const chosen = choice.points.flatMap((id) => known.get(id) ?? [])
  return (
    <Drawer open title={t('wall.settings')} size={420} onClose={close}>
      <Form layout="vertical">
        <Chooser
          label={t('wall.projects', { max: mostProjects })}
          most={mostProjects}
          ids={choice.projects}
          options={projects}
          placeholder={t('wall.allProjects')}
          change={(ids) => change({ projects: ids })}
        />
        <Form.Item label={t('wall.points', { max: mostPoints })}>
          <PointChoice points={chosen} choose={(points) => change({ points })} most={mostPoints} />
        </Form.Item>
        <Checkbox checked={choice.light} onChange={(event) => change({ light: event.target.checked })}>
          {t('wall.light')}
        </Checkbox>
      </Form>
    </Drawer>
  )
}

const useChoice = () => {
  const [params, setParams] = useSearchParams()
  const choice: Choice = {
    projects: idsIn(params.get('projects'), mostProjects),
    points: idsIn(params.get('points'), mostPoints),
    light: params.has('light'),
  }
  const change = (some: Partial<Choice>) => {
    const { projects, points, light } = { ...choice, ...some }
    setParams(
      {
        ...(projects.length && { projects: projects.join() }),
        ...(points.length && { points: points.join() }),
        ...(light && { light: '1' }),
      },
      { replace: true },
    )
  }
  return { choice, change }
}

/** A wall for a control room: chosen projects with their state, open alarms and points. Dark unless the address sets another theme. */
const ScreenMonitor = () => {
  const t = useWords()
  const { message } = App.useApp()
  const { choice, change } = useChoice()
  const projects = useRows(project, { PageIndex: 1, PageSize: 1000 }).data?.Items
  // A change is announced. Asking once a minute anyway covers a message that was lost, and uses the session.
  const { data: alarms = [] } = useCall(alarmCalls.groups, { query: { By: 'ProjectId' }, of: ['alarmInfo'], refetchInterval: everyMinute })
  const [isOpen, setOpen] = useState(false)
  const wall = useRef<HTMLDivElement>(null)
  const connection = useConnection()
  const theme = useThemeSet()
  const now = useNow()
  useWakeLock()
  const colours = useMemo(() => {
    const mode = choice.light ? 'light' : 'dark'
    return { colorScheme: mode, ...Object.fromEntries(Object.entries(coloursOf(mode, theme)).map(([name, value]) => [`--${name}`, value])) }
  }, [choice.light, theme])
  const shown = (projects ?? []).filter(({ Id }) => !choice.projects.length || choice.projects.includes(Id)).slice(0, mostProjects)
  return (
    <Page
      title={t('menu.m10123')}
      actions={
        <>
          <Button icon={<SettingOutlined />} onClick={() => setOpen(true)}>
            {t('wall.settings')}
          </Button>
          <Button
            type="primary"
            icon={<FullscreenOutlined />}
            onClick={() => wall.current?.requestFullscreen().catch(() => message.error(t('wall.noFullScreen')))}
          >
            {t('wall.fullScreen')}
          </Button>
        </>
      }
    >
      <div ref={wall} className="wall" style={colours as CSSProperties}>
        <header className="wall-head">
          <time>{new Date(now).toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit' })}</time>
          <State is={connection === 'live' ? 'normal' : 'offline'}>{t(`live.${connection}`)}</State>
        </header>
        {projects && !shown.length && <EmptyList text={t('wall.empty')} />}
        <div className="wall-tiles" style={{ '--across': Math.ceil(Math.sqrt(shown.length)) } as CSSProperties}>
          {shown.map(({ Id, ProjectName }) => (
            <Tile key={Id} id={Id} name={ProjectName} alarms={alarms.find(({ Key }) => Key === Id)} chosen={choice.points} />
          ))}
        </div>
      </div>
      {isOpen && (
        <Settings
          choice={choice}
          projects={(projects ?? []).map(({ Id, ProjectName }) => ({ value: Id, label: ProjectName }))}
          change={change}
          close={() => setOpen(false)}
        />
      )}
    </Page>
  )
}
export default ScreenMonitor
