// Each system is six processes that start and stop, on a machine that may be busy.
jest.setTimeout(180_000);
