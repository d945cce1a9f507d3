import { Suspense } from 'react'
import '../../../analysis/dashboard/console/dashboard.css'
import { useFileUrl } from '../../../../console/files/stored.ts'
import { useSession } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { cards } from '../../../analysis/dashboard/console/cards.tsx'
import { type Block, blocksOf } from './past.ts'
import { useBoard } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const Spans = ({ of }: { of: Block['spans'] }) =>
  of.map(({ text, bold }, i) => {
    const key = `${i} ${text}`
    return bold ? <strong key={key}>{text}</strong> : <span key={key}>{text}</span>
  })

/** Text with simple formatting, never HTML. */
export const Text = ({ widget: { Text: text = '' } }: WidgetProps) => (
  <div className="board-text">
    {blocksOf(text).map(({ kind, spans }, i) => {
      const key = `${i} ${kind}`
      if (kind === 'heading')
        return (
          <h3 key={key}>
            <Spans of={spans} />
          </h3>
        )
      return (
        <p key={key} className={kind === 'item' ? 'board-item' : undefined}>
          <Spans of={spans} />
        </p>
      )
    })}
  </div>
)

export const Photo = ({ widget: { Image, Title = '' } }: WidgetProps) => {
  const t = useWords()
  const given = useBoard().images
  const stored = useFileUrl(given ? undefined : Image)
  const url = given ? given[Image ?? ''] : stored
  if (!Image) return <p className="board-note soft">{t('board.noImage')}</p>
  return url ? <img src={url} alt={Title} /> : null
}

/** A card of the home page, if the user may see it there. */
export const Card = ({ widget }: WidgetProps) => {
  const t = useWords()
  const codes = useSession((s) => s.session?.codes)
  const card = cards.find(({ name }) => name === widget.Card)
  if (!card) return <p className="board-note soft">{t('board.noCard')}</p>
  if (!codes?.has(card.permission)) return <p className="board-note soft">{t('board.withheld')}</p>
  const Is = card.is
  return (
    <Suspense fallback={null}>
      <Is />
    </Suspense>
  )
}
