import './parts.css'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'

export const quantityText = (qty: number) => numberText(qty, 0, language(), 3)

type Stock = { StockQty: number; MinQty: number | null; MaxQty: number | null; Unit: string; IsLow?: number | undefined }
/** The stock as a bar, with a mark at the minimum. */
export const StockBar = ({ StockQty, MinQty, MaxQty, Unit, IsLow }: Stock) => {
  const t = useWords()
  const scale = Math.max(MaxQty ?? 0, 2 * (MinQty ?? 0), StockQty) || 1
  const share = (qty: number) => `${Math.min(100, (100 * qty) / scale)}%`
  const low = IsLow === 1
  return (
    <div className={low ? 'stock stock-low' : 'stock'}>
      <div className="stock-line">
        <span className="figures">
          {quantityText(StockQty)} <span className="unit">{Unit}</span>
        </span>
        {low ? (
          <State is={StockQty === 0 ? 'alarm' : 'warning'}>{t('part.low')}</State>
        ) : (
          MinQty !== null && <small className="soft">{t('part.of', { min: quantityText(MinQty) })}</small>
        )}
      </div>
      <div className="stock-bar" aria-hidden>
        <i style={{ width: share(StockQty) }} />
        {MinQty !== null && MinQty > 0 && <b style={{ insetInlineStart: share(MinQty) }} />}
      </div>
    </div>
  )
}
