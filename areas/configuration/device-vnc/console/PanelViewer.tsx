import { FullscreenOutlined } from '@ant-design/icons'
import { Alert, Button, Spin, Tooltip } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { deviceVnc } from '../contract.ts'
import { PanelKeys } from './PanelKeys.tsx'
import './panels.css'
import { type PanelEnded, type PanelState, usePanel } from './usePanel.ts'

const Status = ({ state }: { state: PanelState }) => {
  const t = useWords()
  const operator = state.Viewers.find(({ Controls }) => Controls)
  const text = state.Controls
    ? t('deviceVnc.youControl')
    : operator
      ? t('deviceVnc.controls', { name: operator.Name })
      : t('deviceVnc.watching')
  return (
    <div className="panel-status" role="status">
      <State is={operator ? 'warning' : 'normal'}>{text}</State>
      <Tooltip title={state.Viewers.map(({ Name }) => Name).join(', ')}>
        <span className="soft">{t('deviceVnc.viewers', { count: state.Viewers.length })}</span>
      </Tooltip>
    </div>
  )
}

const Ending = ({ ended, retry }: { ended: PanelEnded; retry: () => void }) => {
  const t = useWords()
  return (
    <Alert
      type="warning"
      showIcon
      title={t(`deviceVnc.Reason.${ended.Ended}`)}
      description={ended.Text && t('deviceVnc.panelSays', { text: ended.Text })}
      action={<Button onClick={retry}>{t('deviceVnc.reconnect')}</Button>}
    />
  )
}

/** The screen of a panel, and its current operator. During control, Ctrl+Alt+Enter returns the keyboard to the page. */
export const PanelViewer = ({ row }: { row: Shown<typeof deviceVnc> }) => {
  const t = useWords()
  const frame = useRef<HTMLElement>(null)
  const screen = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [attempt, setAttempt] = useState(0)
  const [hasKeys, showKeys] = useState(false)
  const { state, ended, fault, rfb, control } = usePanel(row.Id, screen, attempt)
  const controls = state?.Controls === true
  useEffect(() => {
    if (controls) rfb.current?.focus()
  }, [controls, rfb])
  const leave = (event: KeyboardEvent) => {
    if (!(event.ctrlKey && event.altKey && event.key === 'Enter')) return
    event.preventDefault()
    event.stopPropagation()
    rfb.current?.blur()
    button.current?.focus()
  }
  const retry = () => setAttempt(attempt + 1)
  const busy = state?.Viewers.some(({ Controls }) => Controls) && !controls
  return (
    <section ref={frame} className="panel-viewer" aria-label={t('deviceVnc.screen')}>
      <div className="panel-bar">
        {state && <Status state={state} />}
        <div className="panel-tools">
          {state?.MayControl && (
            <Button ref={button} type={controls ? 'default' : 'primary'} disabled={busy} onClick={() => control(!controls)}>
              {t(controls ? 'deviceVnc.release' : 'deviceVnc.control')}
            </Button>
          )}
          {controls && (
            <Button aria-pressed={hasKeys} onClick={() => showKeys(!hasKeys)}>
              {t('deviceVnc.keys')}
            </Button>
          )}
          {state && document.fullscreenEnabled && (
            <Button icon={<FullscreenOutlined />} onClick={() => void frame.current?.requestFullscreen()}>
              {t('deviceVnc.fullscreen')}
            </Button>
          )}
        </div>
      </div>
      {controls && <p className="faint panel-leave">{t('deviceVnc.leaveHint')}</p>}
      {controls && hasKeys && rfb.current && <PanelKeys rfb={rfb.current} />}
      {fault && <Alert type="error" showIcon title={fault.message} action={<Button onClick={retry}>{t('deviceVnc.reconnect')}</Button>} />}
      {ended && <Ending ended={ended} retry={retry} />}
      {!state && !ended && !fault && (
        <p className="soft">
          <Spin size="small" /> {t('deviceVnc.connecting')}
        </p>
      )}
      <div ref={screen} className="panel-screen" hidden={Boolean(ended || fault)} onKeyDownCapture={leave} />
    </section>
  )
}
