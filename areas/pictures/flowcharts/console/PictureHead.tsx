import {
  AlertOutlined,
  CompressOutlined,
  FullscreenOutlined,
  HistoryOutlined,
  MinusOutlined,
  MoreOutlined,
  PlusOutlined,
} from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import type { RefObject } from 'react'
import { LiveMark } from '../../../../console/shell/LiveMark.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ShareButton, useShare } from '../../shares/console/ShareButton.tsx'
import { type Fixed, kinds } from '../../shares/contract.ts'
import type { Opened } from '../contract.ts'
import type { Seen } from '../svgFile.ts'
import type { Hand } from './engine/usePanZoom.ts'
import { OutMenu, useOut } from './out/OutMenu.tsx'
import { DetailsSelect } from './ProjectDetails.tsx'

type Props = {
  chart: Opened['Flowchart']
  /** Parameters of the open picture; a link to it contains them. */
  parameters: Fixed
  hand: RefObject<RefObject<Hand> | null>
  stage: RefObject<HTMLDivElement | null>
  seen: RefObject<(() => Seen | undefined) | null>
  count: number
  showsAlarms: boolean
  toggleAlarms: () => void
  isReplayed: boolean
  replay: () => void
}
const useFull = (stage: Props['stage']) => {
  const t = useWords()
  const { message } = App.useApp()
  return () => void stage.current?.requestFullscreen().catch(() => message.error(t('wall.noFullScreen')))
}

/** On a phone, a menu of less frequent actions. Two fingers zoom. */
const MoreMenu = ({ chart, parameters, hand, stage, seen, isReplayed, replay }: Props) => {
  const t = useWords()
  const full = useFull(stage)
  const out = useOut({ chart, seen })
  const { ask, dialog } = useShare({ kind: kinds.picture, target: chart.Id, name: chart.FlowchartName, parameters })
  const items = [
    { key: 'fit', label: t('pictures.fit'), onClick: () => hand.current?.current.fit() },
    { key: 'full', label: t('wall.fullScreen'), onClick: full },
    { key: 'replay', label: t('pictures.replay'), disabled: isReplayed, onClick: replay },
    ...out,
    ...(ask ? [{ key: 'share', label: t('share.act'), onClick: ask }] : []),
  ]
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button icon={<MoreOutlined />} aria-label={t('shell.more')} title={t('shell.more')} />
      </Dropdown>
      {dialog}
    </>
  )
}
const AllButtons = ({ chart, parameters, hand, stage, seen, isReplayed, replay }: Props) => {
  const t = useWords()
  const full = useFull(stage)
  const zoom = (factor: number) => hand.current?.current.zoom(factor)
  return (
    <>
      <Button icon={<MinusOutlined />} aria-label={t('pictures.out')} onClick={() => zoom(1 / 1.4)} />
      <Button icon={<PlusOutlined />} aria-label={t('pictures.in')} onClick={() => zoom(1.4)} />
      <Button icon={<CompressOutlined />} aria-label={t('pictures.fit')} onClick={() => hand.current?.current.fit()} />
      <Button icon={<FullscreenOutlined />} aria-label={t('wall.fullScreen')} onClick={full} />
      <Button icon={<HistoryOutlined />} disabled={isReplayed} onClick={replay}>
        {t('pictures.replay')}
      </Button>
      <OutMenu chart={chart} seen={seen} />
      <ShareButton kind={kinds.picture} target={chart.Id} name={chart.FlowchartName} parameters={parameters} />
    </>
  )
}

/** Title of a picture, the other pictures of its project, and actions. */
export const PictureHead = (props: Props) => {
  const t = useWords()
  const phone = usePhone()
  const { chart, count, showsAlarms, toggleAlarms, isReplayed } = props
  const of = { projectId: chart.ProjectId, projectName: chart.ProjectName }
  return (
    <div className="picture-page-head">
      <h1>
        {chart.ProjectName} · {chart.FlowchartName}
      </h1>
      <DetailsSelect of={of} isHere={({ query }) => query.id === String(chart.Id)} />
      {!isReplayed && <LiveMark />}
      <Button icon={<AlertOutlined />} disabled={isReplayed} aria-expanded={showsAlarms} onClick={toggleAlarms}>
        {t('pictures.alarmCount', { count })}
      </Button>
      {phone ? <MoreMenu {...props} /> : <AllButtons {...props} />}
    </div>
  )
}
