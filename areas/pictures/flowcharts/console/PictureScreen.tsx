import { CompressOutlined, FullscreenOutlined, HistoryOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { LiveMark } from '../../../../console/shell/LiveMark.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Action, actedOn, type Scene } from '../../../../contract/picture/scene.ts'
import { ShareButton } from '../../shares/console/ShareButton.tsx'
import { kinds } from '../../shares/contract.ts'
import { flowchartCalls } from '../contract.ts'
import { OutMenu } from './out/OutMenu.tsx'
import type { Seen } from './out/svgFile.ts'
import { PictureView } from './PictureView.tsx'
import { DetailsSelect } from './ProjectDetails.tsx'

const ActDialog = lazy(() => import('./ActDialog.tsx'))
const Replayed = lazy(() => import('./Replayed.tsx'))

const writing: readonly Action['do'][] = ['set', 'toggle', 'step']

/** One picture of a project, alive, with the others at hand. */
const PictureScreen = () => {
  const t = useWords()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const stage = useRef<HTMLDivElement>(null)
  const hand = useRef<React.RefObject<{ fit: () => void; zoom: (factor: number) => void }> | null>(null)
  const seen = useRef<(() => Seen | undefined) | null>(null)
  const {
    data: opened,
    error,
    refetch,
  } = useCall(flowchartCalls.open, { body: { Id: id }, of: ['flowchart', 'alarmInfo'], enabled: id > 0 })
  const chart = opened?.Flowchart
  const of = { projectId: chart?.ProjectId ?? 0, projectName: chart?.ProjectName ?? '' }
  useEffect(() => {
    if (chart) document.title = chart.FlowchartName
  }, [chart])
  /** The end of what is replayed; undefined while the picture is live. */
  const [until, setUntil] = useState<number>()
  const operates = useMay('m10125.operate')
  const [acting, setActing] = useState<{ action: Action; item: string }>()
  const act = useMemo(
    () => (action: Action, item: string) => {
      if (operates && writing.includes(action.do)) setActing({ action, item })
      if (action.do === 'open' && action.picture) navigate(`/projectDetailsManagement/flowChart/${action.picture}`)
      if (action.do === 'link' && action.path) navigate(action.path)
    },
    [navigate, operates],
  )
  // A button that would do nothing is none.
  const offered = useMemo(
    () => opened && { ...opened, Scene: actedOn(opened.Scene as Scene, ({ do: does }) => operates || !writing.includes(does)) },
    [opened, operates],
  )
  if (error) return <Failure fault={error} retry={() => refetch()} />
  if (!opened || !chart) return null
  const zoom = (factor: number) => hand.current?.current?.zoom(factor)
  return (
    <article className="page picture-page">
      <div className="picture-page-head">
        <h1>
          {chart.ProjectName} · {chart.FlowchartName}
        </h1>
        <DetailsSelect of={of} isHere={({ query }) => query.id === String(id)} />
        {!until && <LiveMark />}
        <Button icon={<MinusOutlined />} aria-label={t('pictures.out')} onClick={() => zoom(1 / 1.4)} />
        <Button icon={<PlusOutlined />} aria-label={t('pictures.in')} onClick={() => zoom(1.4)} />
        <Button icon={<CompressOutlined />} aria-label={t('pictures.fit')} onClick={() => hand.current?.current?.fit()} />
        <Button
          icon={<FullscreenOutlined />}
          aria-label={t('wall.fullScreen')}
          onClick={() => stage.current?.requestFullscreen().catch(() => message.error(t('wall.noFullScreen')))}
        />
        <Button icon={<HistoryOutlined />} disabled={!!until} onClick={() => setUntil(Date.now())}>
          {t('pictures.replay')}
        </Button>
        <OutMenu chart={chart} seen={seen} />
        <ShareButton kind={kinds.picture} target={id} name={chart.FlowchartName} />
        <Link to="/projectManagement/pictures">{t('pictures.all')}</Link>
      </div>
      <div ref={stage} className="picture-stage">
        {until ? (
          <Suspense>
            <Replayed key={id} opened={opened} until={until} hand={hand} seen={seen} close={() => setUntil(undefined)} />
          </Suspense>
        ) : (
          <PictureView key={id} opened={offered ?? opened} act={act} hand={hand} seen={seen} />
        )}
      </div>
      <Suspense>{acting && <ActDialog opened={opened} {...acting} close={() => setActing(undefined)} />}</Suspense>
    </article>
  )
}
export default PictureScreen
