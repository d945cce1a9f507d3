import './shared.css'
import { useEffect } from 'react'
import { Providers } from '../../../../console/shell/Providers.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import type { Playing } from '../contract.ts'
import { SharedScreen } from './SharedScreen.tsx'
import { usePlaylist } from './usePlaylist.ts'
import { useTakeover } from './useTakeover.ts'
import { useTelevision } from './useTelevision.ts'

const Player = ({ of, lost, again }: { of: Playing; lost: number | undefined; again: () => void }) => {
  const t = useWords()
  const shown = usePlaylist(of, again)
  const taking = useTakeover(of)
  const note = shown.seen || shown.lost || lost ? undefined : t('tv.nothing')
  return (
    <SharedScreen
      name={of.CompanyName}
      by={t('tv.pairedBy', { name: of.TelevisionName, person: of.UserName })}
      seen={shown.seen}
      lost={shown.lost ?? lost}
      note={note}
      taking={taking}
    />
  )
}

/** A display: its code, then its playlist. */
const TelevisionPage = () => {
  const t = useWords()
  const { television, again } = useTelevision()
  useEffect(() => {
    document.title = t('television')
  }, [t])
  if (television.is === 'opening') return <Waiting />
  if (television.is === 'playing')
    return (
      <Providers>
        <Player of={television.playing} lost={television.lost} again={again} />
      </Providers>
    )
  return (
    <PublicPage title={t('television')}>
      {television.is === 'busy' ? (
        <p>{t('tv.busy')}</p>
      ) : (
        <>
          {television.removed && <p role="alert">{t('tv.removed')}</p>}
          <p className="tv-code" data-testid="tv-code">
            <span className="soft">{t('tv.code')}</span>
            <strong className="mono">
              {television.code.slice(0, 4)} {television.code.slice(4)}
            </strong>
          </p>
          <p>{t('tv.how')}</p>
        </>
      )}
    </PublicPage>
  )
}
export default TelevisionPage
