import './shared.css'
import { useMemo, useState } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useNow } from '../../../../console/live/clock.ts'
import { useLatest } from '../../../../console/live/points.ts'
import { readingOf } from '../../../../console/live/reading.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { levelCondition, Shape, State } from '../../../../console/theme/State.tsx'
import { ageText, none } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { GivenBoard } from '../../boards/console/GivenBoard.tsx'
import { PictureView } from '../../flowcharts/console/PictureView.tsx'
import type { Standing } from '../../flowcharts/contract.ts'
import { MapView } from '../../maps/console/MapView.tsx'
import { Details, lookOf, placesOf } from '../../maps/console/projectMarks.tsx'
import { Sign } from '../../maps/console/Sign.tsx'
import type { SharedBoard, SharedMap, SharedPicture, SharedProject } from '../contract.ts'

export const Picture = ({ of, alarms, name }: { of: SharedPicture; alarms: readonly Standing[]; name: string }) => {
  const opened = useMemo(() => ({ ...of, Alarms: [...alarms], Flowchart: { FlowchartName: name } }), [of, alarms, name])
  return (
    <div className="shared-stage">
      <PictureView key={of.Version} opened={opened} />
    </div>
  )
}

export const Board = ({ of: { Content, Data, Start, End } }: { of: SharedBoard }) => {
  const t = useWords()
  if (!Content.Widgets.length) return <EmptyList text={t('shared.noBoardRest')} />
  return <GivenBoard content={Content} data={Data} start={Start} end={End} />
}

export const SharedOnMap = ({ of: { Items } }: { of: SharedMap }) => {
  const t = useWords()
  const [chosen, choose] = useState<number>()
  const places = useMemo(() => placesOf(Items), [Items])
  const picked = Items.find(({ Id }) => Id === chosen)
  return (
    <div className="shared-map">
      <MapView label={t('map.label')} places={places} chosen={chosen} choose={(group) => choose(group[0]!.id)}>
        {!places.length && <p className="map-note">{t('map.none')}</p>}
        {picked && (
          <aside className="shared-picked" aria-label={picked.ProjectName ?? ''}>
            <h2>
              <Sign is={lookOf(picked)} /> {picked.ProjectName}
            </h2>
            <p>{t(`map.condition.${lookOf(picked)}`)}</p>
            <Details of={picked} />
          </aside>
        )}
      </MapView>
    </div>
  )
}

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
