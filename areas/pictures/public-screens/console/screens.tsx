import './shared.css'
import { type ReactNode, useCallback, useMemo } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../console/live/clock.ts'
import { useLatest } from '../../../../console/live/points.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { requestBytes } from '../../../../console/session/request.ts'
import { levelCondition, Shape, State } from '../../../../console/theme/State.tsx'
import { ageText, none } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { GivenBoard } from '../../boards/console/GivenBoard.tsx'
import { PictureView } from '../../flowcharts/console/PictureView.tsx'
import type { Standing } from '../../flowcharts/contract.ts'
import { GivenGround, type Load } from '../../maps/console/GivenGround.tsx'
import { ProjectMap } from '../../maps/console/index.ts'
import { Details, lookOf } from '../../maps/console/projectMarks.tsx'
import { Sign } from '../../maps/console/Sign.tsx'
import { type SharedBoard, type SharedMap, type SharedPicture, type SharedProject, sharedCalls } from '../contract.ts'

export const Picture = ({ of, alarms, name }: { of: SharedPicture; alarms: readonly Standing[]; name: string }) => {
  const opened = useMemo(() => ({ ...of, Alarms: [...alarms], Flowchart: { FlowchartName: name } }), [of, alarms, name])
  return (
    <div className="shared-stage">
      <PictureView key={of.Version} opened={opened} curves={of.Curves} />
    </div>
  )
}

type Visited = { visit: { Visit: string; Entry?: number } }

const imageAddress = (Of: string) => `/api${sharedCalls.image.path}?Of=${Of}`
/** Map server and layers, loaded through the visit. */
type Ground = Pick<SharedMap, 'Tiles' | 'Layers' | 'Images'>
const GroundOf = ({ of: { Tiles, Layers, Images }, visit: { Visit, Entry }, children }: Visited & { of: Ground; children: ReactNode }) => {
  const load: Load = useCallback(
    (spot, signal) => requestBytes(sharedCalls.tile.path, signal, { ...spot, Visit, ...(Entry === undefined ? {} : { Entry }) }),
    [Visit, Entry],
  )
  const layers = Layers.map((layer) => ({ ...layer, Url: layer.Url && imageAddress(Images[layer.Url] ?? '') }))
  return (
    <GivenGround tiles={Tiles} layers={layers} load={load}>
      {children}
    </GivenGround>
  )
}

export const Board = ({ of, visit }: Visited & { of: SharedBoard }) => {
  const { Content, Data, Start, End, Images } = of
  const t = useWords()
  const text = JSON.stringify(Images)
  const images = useMemo(
    () => Object.fromEntries(Object.entries(JSON.parse(text) as typeof Images).map(([path, of]) => [path, imageAddress(of)])),
    [text],
  )
  if (!Content.Widgets.length) return <EmptyList text={t('shared.noBoardRest')} />
  return (
    <GroundOf of={of} visit={visit}>
      <GivenBoard content={Content} data={Data} start={Start} end={End} images={images} />
    </GroundOf>
  )
}

export const SharedOnMap = ({ of, visit }: Visited & { of: SharedMap }) => (
  <div className="shared-map">
    <GroundOf of={of} visit={visit}>
      <ProjectMap items={of.Items} />
    </GroundOf>
  </div>
)

const KeyValue = ({ of }: { of: ParaInfo }) => {
  const t = useWords()
  const now = useNow()
  const latest = useLatest(of.ParaId)
  const { is, word } = readingOf(of, latest, now)
  return (
    <li className="shared-value">
      <span className="soft">
        {of.DeviceName} · {of.ParaName}
      </span>
      <strong className={`figures state-${is}`}>
        <Shape is={is} label={t(`reading.${word}`)} /> {valueText(latest?.Value, of, t)}
        {typeof latest?.Value === 'number' && <span className="unit"> {of.ParaUnitName}</span>}
      </strong>
      <span className="faint figures">{latest ? ageText(now - latest.Time, language()) : none}</span>
    </li>
  )
}

export const Project = ({ of: { Project: project, Points, Levels } }: { of: SharedProject }) => {
  const t = useWords()
  const levels = Object.entries(Levels).map(([level, count]) => ({ level: Number(level), count }))
  const is = lookOf({ ...project, AlarmLevel: Math.max(0, ...levels.map(({ level }) => level)) })
  return (
    <div className="shared-project">
      <p className="shared-state">
        <Sign is={is} /> {t(`map.condition.${is}`)}
      </p>
      <Details of={project} />
      <h2>{t('shared.alarms')}</h2>
      {levels.length ? (
        <ul className="shared-levels">
          {levels.map(({ level, count }) => (
            <li key={level}>
              <State is={levelCondition(level)}>{t(`alarmInfo.AlarmLevel.${level}`)}</State> <strong className="figures">{count}</strong>
            </li>
          ))}
        </ul>
      ) : (
        <p>{t('shared.noAlarms')}</p>
      )}
      <h2>{t('shared.values')}</h2>
      {Points.length ? (
        <ul className="shared-values">
          {Points.map((point) => (
            <KeyValue key={point.ParaId} of={point} />
          ))}
        </ul>
      ) : (
        <p>{t('shared.noValues')}</p>
      )}
    </div>
  )
}
