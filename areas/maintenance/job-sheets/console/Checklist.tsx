import { Button, Descriptions, Tag } from 'antd'
import { FileLink } from '../../../../console/files/FilesInput.tsx'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Item, isAsRead, type Result } from '../contract.ts'
import { readingWordOf } from './readingWord.ts'
import { SheetPicture } from './SheetPicture.tsx'
import './checklist.css'

const Value = ({ of, result }: { of: Item; result: Result | undefined }) => {
  const t = useWords()
  if (!result || result.Value === null) return <span>—</span>
  if (of.ValueType === 1) return <span>{t(result.IsOk ? 'checklist.ok' : 'checklist.notOk')}</span>
  return <span>{[typeof result.Value === 'number' ? numberText(result.Value) : result.Value, of.Unit].filter(Boolean).join(' ')}</span>
}
/** Origin of the value: the reading of a point, or a person with a reason. */
const Origin = ({ of, result }: { of: Item; result: Result }) => {
  const t = useWords()
  const { Read, Reason } = result
  return (
    <>
      {Read && (
        <p className="soft">
          {t('checklist.live', { value: numberText(Read.Value), time: timeText(Read.Time), quality: t(readingWordOf(Read.Quality)) })}
        </p>
      )}
      {of.ValueType === 6 && Reason && !isAsRead(of, result) && <p>{t('checklist.overruled', { reason: Reason })}</p>}
    </>
  )
}

type Props = {
  items: readonly Item[]
  results: readonly Result[]
  /** Opens a repair for a failed item. */
  repair?: ((item: number) => void) | undefined
  busy?: boolean
}
/** A checklist with its results. */
export const Checklist = ({ items, results, repair, busy = false }: Props) => {
  const t = useWords()
  const byItem = new Map(results.map((result) => [result.Item, result]))
  if (!items.length) return <EmptyList text={t('checklist.none')} />
  return (
    <Descriptions bordered size="small" column={1} className="checklist-results">
      {items.map((item, i) => {
        const result = byItem.get(i)
        return (
          <Descriptions.Item key={`${i} ${item.ItemName}`} label={item.ItemName}>
            {item.Standard && <p className="soft">{item.Standard}</p>}
            <Value of={item} result={result} />{' '}
            {result && !result.IsOk && (
              <Tag color="error">
                <Shape is="alarm" /> {t('checklist.notOk')}
              </Tag>
            )}
            {result && !result.IsOk && repair && (
              <Button size="small" loading={busy} onClick={() => repair(i)}>
                {t('checklist.repair')}
              </Button>
            )}
            {result && <Origin of={item} result={result} />}
            {result?.Desc && <p>{result.Desc}</p>}
            {result?.Photos?.map((file) =>
              item.ValueType === 7 ? (
                <SheetPicture key={file.FilePath} file={file} alt={t('checklist.signed', { name: String(result.Value ?? '') })} />
              ) : (
                <FileLink key={file.FilePath} file={file} />
              ),
            )}
          </Descriptions.Item>
        )
      })}
    </Descriptions>
  )
}
