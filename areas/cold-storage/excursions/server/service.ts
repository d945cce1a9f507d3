// What figures and reports of rooms take from excursions.
export { activationEnergy, excursionsOf, holdMs, meanKinetic, type Reading } from '../excursions.ts'
// Services for the demo company's history.
export { decidePast, pastExcursions } from './past.ts'
