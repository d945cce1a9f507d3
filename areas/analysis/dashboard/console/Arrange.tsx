import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Button, Checkbox, Modal } from 'antd'
import { moved } from '../../../../console/kernel/list/arrange.ts'
import { useWords } from '../../../../console/words/words.ts'
import { useHasDemo } from '../../water-works/console/Settled.tsx'
import type { Placed } from './cards.tsx'

type Props = { cards: readonly Placed[]; change: (next: readonly Placed[]) => void; reset: () => void; close: () => void }

/** Selects and orders the cards of the page. Saves every step. */
export const Arrange = ({ cards: all, change: save, reset, close }: Props) => {
  const t = useWords()
  const hasDemo = useHasDemo()
  const [cards, others] = [true, false].map((is) => all.filter((card) => (hasDemo || !card.demo) === is)) as [Placed[], Placed[]]
  // Choices that this page does not offer stay, after the others.
  const change = (next: readonly Placed[]) => save([...next, ...others])
  return (
    <Modal
      open
      title={t('dashboard.arrangeTitle')}
      onCancel={close}
      footer={
        <>
          <Button onClick={reset}>{t('dashboard.reset')}</Button>
          <Button type="primary" onClick={close}>
            {t('close')}
          </Button>
        </>
      }
    >
      <ul className="arrange">
        {cards.map((card, i) => (
          <li key={card.name}>
            <Checkbox
              checked={card.visible}
              onChange={({ target }) => change(cards.map((c) => (c === card ? { ...c, visible: target.checked } : c)))}
            >
              {t(card.title)}
            </Checkbox>
            <Button
              type="text"
              size="small"
              icon={<ArrowUpOutlined />}
              disabled={i === 0}
              aria-label={t('dashboard.up', { name: t(card.title) })}
              onClick={() => change(moved(cards, i, i - 1))}
            />
            <Button
              type="text"
              size="small"
              icon={<ArrowDownOutlined />}
              disabled={i === cards.length - 1}
              aria-label={t('dashboard.down', { name: t(card.title) })}
              onClick={() => change(moved(cards, i, i + 1))}
            />
          </li>
        ))}
      </ul>
    </Modal>
  )
}
