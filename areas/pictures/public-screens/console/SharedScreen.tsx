import '../../../../console/theme/lists.css'
import '../../../../console/theme/live.css'
import { Shape } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { TakingAlarms } from '../contract.ts'
import type { Seen } from './followScreen.ts'
import { Board, Picture, Project, SharedOnMap } from './screens.tsx'
import { TakenScreen } from './TakenScreen.tsx'

const Screen = ({ of: { screen, alarms, visit }, name }: { of: Seen; name: string }) => {
  if ('Picture' in screen) return <Picture of={screen.Picture} alarms={alarms} name={name} />
  if ('Board' in screen) return <Board of={screen.Board} visit={visit} />
  return 'Map' in screen ? <SharedOnMap of={screen.Map} visit={visit} /> : <Project of={screen.Project} />
}

type Props = {
  name: string
  by: string
  seen: Seen | undefined
  lost: number | undefined
  note?: string | undefined
  taking?: TakingAlarms | undefined
}
/** Shared content with its name, its owner, and whether it is still updated. */
export const SharedScreen = ({ name, by, seen, lost, note, taking }: Props) => {
  const t = useWords()
  return (
    <main className="shared">
      <header className="shared-head">
        <h1>{name}</h1>
        <span className="soft">{by}</span>
      </header>
      {lost !== undefined && (
        <p className="shared-lost" role="alert">
          <Shape is="warning" /> {t('shared.lost', { time: timeText(lost).slice(11) })}
        </p>
      )}
      {taking && <TakenScreen of={taking} />}
      {!taking && note && <p className="shared-lost">{note}</p>}
      {!taking && seen && <Screen of={seen} name={name} />}
    </main>
  )
}
