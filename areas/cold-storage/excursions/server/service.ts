// What figures and reports of rooms take from excursions.
export { activationEnergy, excursionsOf, holdMs, meanKinetic, type Reading } from '../excursions.ts'
// What the demo company has of the past.
export { decidePast, pastExcursions } from './past.ts'
